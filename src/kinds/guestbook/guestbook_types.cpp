#include "src/kinds/guestbook/guestbook.hpp"

#include "keelson/controller/own_condition.hpp"

namespace keelson::kinds {

namespace {

constexpr std::string_view kSample = R"(apiVersion: webapp.my.domain/v1
kind: Guestbook
metadata:
  labels:
    app.kubernetes.io/name: guestbook
    app.kubernetes.io/instance: guestbook-sample
    app.kubernetes.io/part-of: keelson
    app.kubernetes.io/managed-by: kustomize
    app.kubernetes.io/created-by: keelson
  name: guestbook-sample
spec:
  size: 1
  configMapName: "myconfig"
  alias: "Address"
)";

}  // namespace

void describe(kube::Description& d, GuestbookSpec& spec) {
  d.document("GuestbookSpec defines the desired state of Guestbook.");
  d.field("size", spec.size, "Quantity of instances.").required().minimum(1).maximum(10);
  d.field("configMapName", spec.config_map_name, "Name of the ConfigMap for GuestbookSpec's configuration.")
      .required()
      .min_length(1)
      .max_length(15);
  d.field("alias", spec.type, "Phone, Address or Name.").one_of({"Phone", "Address", "Name"});
}

void describe(kube::Description& d, GuestbookStatus& status) {
  d.document("GuestbookStatus defines the observed state of Guestbook.");
  d.field("active", status.active, "PodName of the active Guestbook node.").required();
  d.field("standby", status.standby, "PodNames of the standby Guestbook nodes.")
      .required()
      .list_type(kube::ListType::kAtomic);
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  controller::describe_conditions<Guestbook>(d, status.conditions);
}

void Guestbook::describe_kind(kube::Kind& kind) { kind.sample = kSample; }

}  // namespace keelson::kinds
