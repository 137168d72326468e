#include "keelson/detail/schema/resource.hpp"

#include "keelson/detail/base/percent_encoding.hpp"

namespace keelson::kube {

std::string Resource::path(std::string_view ns, std::string_view name, std::string_view subresource) const {
  std::string out = group.empty() ? "/api/" : "/apis/";
  if (!group.empty()) {
    base::append_path_segment(out, group);
    out += '/';
  }
  base::append_path_segment(out, version);
  if (namespaced && !ns.empty()) {
    out += "/namespaces/";
    base::append_path_segment(out, ns);
  }
  for (std::string_view segment : {std::string_view(plural), name, subresource}) {
    if (segment.empty()) continue;
    out += '/';
    base::append_path_segment(out, segment);
  }
  return out;
}

Resource pods() { return {"", "v1", "Pod", "pods"}; }
Resource services() { return {"", "v1", "Service", "services"}; }
Resource config_maps() { return {"", "v1", "ConfigMap", "configmaps"}; }
Resource secrets() { return {"", "v1", "Secret", "secrets"}; }
Resource deployments() { return {"apps", "v1", "Deployment", "deployments"}; }
Resource replica_sets() { return {"apps", "v1", "ReplicaSet", "replicasets"}; }
Resource jobs() { return {"batch", "v1", "Job", "jobs"}; }
Resource core_events() { return {"", "v1", "Event", "events"}; }
Resource events() { return {"events.k8s.io", "v1", "Event", "events"}; }
Resource leases() { return {"coordination.k8s.io", "v1", "Lease", "leases"}; }
Resource custom_resource_definitions() {
  return {"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", false};
}

}  // namespace keelson::kube
