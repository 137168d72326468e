#include "src/kinds/memcached/memcached.hpp"

#include "keelson/controller/own_condition.hpp"

namespace keelson::kinds {

constexpr std::string_view kSample = R"(apiVersion: memcached.cache.example.com/v1
kind: Memcached
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: memcached-sample
spec:
  # The number of memcached pods. `kubectl scale memcached memcached-sample --replicas=5` changes it too.
  size: 3
)";

void describe(kube::Description& d, MemcachedSpec& spec) {
  d.document("MemcachedSpec defines the desired state of Memcached.");
  d.field("size", spec.size, "Number of Memcached pods.").required().minimum(0);
  d.field("image", spec.image, "Container image. Default: MEMCACHED_IMAGE of the manager, or memcached:1.6-alpine.")
      .min_length(1);
}

void describe(kube::Description& d, MemcachedStatus& status) {
  d.document("MemcachedStatus defines the observed state of Memcached.");
  d.field("nodes", status.nodes, "Names of the Memcached pods, sorted.").required().list_type(kube::ListType::kAtomic);
  d.field("readyNodes", status.ready_nodes, "Number of Memcached pods that are ready.");
  d.field("replicas", status.replicas, "Number of Memcached pods, for the scale subresource.");
  d.field("selector", status.selector, "Label selector of the Memcached pods, for the scale subresource.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  controller::describe_conditions<Memcached>(d, status.conditions);
}

void Memcached::describe_kind(kube::Kind& kind) {
  kind.columns = {{"Size", "integer", ".spec.size"},
                  {"Ready", "integer", ".status.readyNodes"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  // The name becomes the name of a Service and a label value.
  kind.rules = {{"self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",
                 "must name a Service: at most 63 lower-case letters, digits and dashes, beginning with a letter and "
                 "ending with a letter or digit",
                 ".metadata.name"}};
  kind.has_scale = true;
  kind.scale = {".spec.size", ".status.replicas", ".status.selector"};
  kind.sample = kSample;
}

}  // namespace keelson::kinds
