#include "src/kinds/bluegreen/bluegreen.hpp"

#include "keelson/controller/own_condition.hpp"
#include "keelson/detail/schema/workload_schema.hpp"

namespace keelson::kinds {

namespace {

constexpr std::string_view kSample = R"(apiVersion: app.demo.kakao.com/v1
kind: BlueGreen
metadata:
  name: demo
spec:
  # The Service demo sends its traffic to the pods of this color.
  routeTo: Blue
  blueSpec:
    containers:
      - name: blue
        image: ealen/echo-server
  greenSpec:
    containers:
      - name: green
        image: busybox
)";

// The spec of a color cannot be removed while the Service selects it, also while traffic waits for the other color.
kube::CelRule serves_until_switched(std::string_view color, const std::string& field) {
  const auto name = std::string(color);
  return {"!has(self.spec.switchPolicy) || self.spec.switchPolicy != 'WhenReady' || !has(oldSelf.spec." + field +
              ") || has(self.spec." + field + ") || !has(self.status) || self.status.routeTo != '" + name + "'",
          "cannot be removed while traffic goes to " + name + " (status.routeTo)", ".spec." + field};
}

}  // namespace

void describe(kube::Description& d, BlueGreenSpec& spec) {
  d.document("BlueGreenSpec defines the desired state of BlueGreen.");
  d.rule("self.routeTo != 'Blue' || has(self.blueSpec)", "blueSpec is required while routeTo is Blue");
  d.rule("self.routeTo != 'Green' || has(self.greenSpec)", "greenSpec is required while routeTo is Green");
  d.field("routeTo", spec.route_to, "The color whose pods receive the traffic of the Service: Blue or Green.")
      .required()
      .one_of({kBlue, kGreen});
  d.field("blueSpec", spec.blue_spec, "The pods of Blue. No Deployment if absent.").schema(kube::pod_spec_schema());
  d.field("greenSpec", spec.green_spec, "The pods of Green. No Deployment if absent.").schema(kube::pod_spec_schema());
  d.field("switchPolicy", spec.switch_policy,
          "When the Service switches to the color in routeTo. Immediate: immediately. WhenReady: when the rollout of "
          "that color is complete and its pods are available.")
      .one_of({kImmediate, kWhenReady})
      .default_value(R"("Immediate")");
}

void describe(kube::Description& d, ColorStatus& status) {
  d.document("ColorStatus defines the observed state of the Deployment of a color.");
  d.field("readyReplicas", status.ready_replicas, "Number of pods that are ready.").required();
}

void describe(kube::Description& d, BlueGreenStatus& status) {
  d.document("BlueGreenStatus defines the observed state of BlueGreen.");
  d.field("routeTo", status.route_to,
          "The color that the Service selects; while there is no Service, the color that it selected last.")
      .required();
  d.field("blue", status.blue, "The Deployment of Blue.");
  d.field("green", status.green, "The Deployment of Green.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  controller::describe_conditions<BlueGreen>(d, status.conditions);
}

void BlueGreen::describe_kind(kube::Kind& kind) {
  kind.columns = {{"Route", "string", ".status.routeTo"},
                  {"Blue", "integer", ".status.blue.readyReplicas"},
                  {"Green", "integer", ".status.green.readyReplicas"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  // The name becomes the name of a Service and a label value.
  kind.rules = {{"self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",
                 "must name a Service: at most 63 lower-case letters, digits and dashes, beginning with a letter and "
                 "ending with a letter or digit",
                 ".metadata.name"},
                serves_until_switched(kBlue, "blueSpec"),
                serves_until_switched(kGreen, "greenSpec")};
  kind.sample = kSample;
}

}  // namespace keelson::kinds
