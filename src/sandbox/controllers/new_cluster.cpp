#include "src/sandbox/controllers/new_cluster.hpp"

#include "keelson/schema/identity.hpp"

#include <utility>
#include <vector>

namespace keelson::sandbox {

namespace {

constexpr const char* kAccount = "default";
constexpr const char* kRootCa = "kube-root-ca.crt";
constexpr const char* kDescription = "kubernetes.io/description";

Tree named(const std::string& name) { return Tree::object({{"metadata", Tree::object({{"name", name}})}}); }

Tree active_namespace(const std::string& name) {
  auto object = named(name);
  object["status"] = Tree::object({{"phase", "Active"}});
  return object;
}

// The address is the first of 10.0.0.0/24, the API server's own default range for Services.
constexpr const char* kKubernetesService =
    R"({"metadata":{"name":"kubernetes","labels":{"component":"apiserver","provider":"kubernetes"}},)"
    R"("spec":{"ports":[{"name":"https","protocol":"TCP","port":443,"targetPort":6443}],"clusterIP":"10.0.0.1",)"
    R"("clusterIPs":["10.0.0.1"],"type":"ClusterIP"}})";

constexpr const char* kServiceRange =
    R"({"metadata":{"name":"kubernetes","finalizers":["networking.k8s.io/service-cidr-finalizer"]},)"
    R"("spec":{"cidrs":["10.0.0.0/24"]}})";

Tree root_ca(const std::string& pem) {
  auto map = named(kRootCa);
  map["metadata"]["annotations"] = Tree::object(
      {{kDescription,
        "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the "
        "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of "
        "Kubernetes clusters."}});
  map["data"] = Tree::object({{"ca.crt", pem}});
  return map;
}

Tree healthy_component(const std::string& name) {
  auto component = named(name);
  auto healthy = Tree::object({{"type", "Healthy"}, {"status", "True"}, {"message", "ok"}});
  component["conditions"] = Tree::array({std::move(healthy)});
  return component;
}

// The capacity of KWOK's nodes, which is more than tests need.
Tree ready_node(const std::string& name, const std::string& now) {
  auto node = named(name);
  node["metadata"]["labels"] = Tree::object({{"kubernetes.io/hostname", name}, {"kubernetes.io/os", "linux"}});
  node["spec"] = Tree::object();
  auto resources = Tree::object({{"cpu", "32"}, {"memory", "256Gi"}, {"pods", "110"}});
  auto ready = new_condition("Ready", true, "KubeletReady", "no kubelet runs here, and no containers");
  ready["lastHeartbeatTime"] = now;
  auto& status = node["status"];
  status = Tree::object({{"capacity", resources},
                         {"allocatable", resources},
                         {"nodeInfo", Tree::object({{"kubeletVersion", "v1.36.3"}, {"operatingSystem", "linux"}})}});
  set_condition(status, std::move(ready), now);
  return node;
}

}  // namespace

NewCluster::NewCluster(World& world, Committer& committer, Deletes& deletes, const ApiServerOptions& options)
    : options_(options),
      server_(world, committer, deletes, "system:apiserver"),
      node_(world, committer, deletes, "system:node:node-1"),
      accounts_(world, committer, deletes, "system:serviceaccount:kube-system:service-account-controller"),
      publisher_(world, committer, deletes, "system:serviceaccount:kube-system:root-ca-cert-publisher"),
      passes_(world.controller_clock, options.controller_delay, [this] { fill_changed(); }) {}

void NewCluster::begin() {
  server_.create(kube::namespaces(), "", active_namespace("kube-node-lease"));
  server_.create(kube::services(), "default", json_tree(kKubernetesService));
  auto range = json_tree(kServiceRange);
  auto ready = new_condition("Ready", true, "", "Kubernetes Service CIDR is ready");
  set_condition(range["status"], std::move(ready), server_.world.time_text());
  server_.create({"networking.k8s.io", "v1", "ServiceCIDR", "servicecidrs", false}, "", std::move(range));
  // This server implements all of these components.
  for (const char* component : {"controller-manager", "scheduler", "etcd-0"}) {
    server_.create(kube::component_statuses(), "", healthy_component(component));
  }
  if (!options_.has_controllers) return;
  node_.create(kube::nodes(), "", ready_node("node-1", server_.world.time_text()));
  std::vector<std::string> names;
  for (const auto& [key, entry] : server_.world.store.all(server_.kind(kube::namespaces()))) {
    if (!entry.object.deleting()) names.push_back(key.name);
  }
  for (const auto& name : names) fill(name);
}

void NewCluster::hear(const Change& change) {
  if (!options_.has_cluster_objects || !options_.has_controllers) return;
  const auto& resource = change.kind->resource;
  const auto& object = change.after ? *change.after : *change.before;
  if (resource == kube::namespaces() && change.after) {
    changed_.insert(std::string(object.name()));
  } else if ((!change.after && resource == kube::service_accounts() && object.name() == kAccount) ||
             (resource == kube::config_maps() && object.name() == kRootCa)) {
    changed_.insert(std::string(object.ns()));
  } else {
    return;
  }
  passes_.wake();
}

void NewCluster::fill_changed() {
  for (const auto& name : std::exchange(changed_, {})) {
    auto found = server_.object(kube::namespaces(), kube::Key("", name));
    if (found && !found->deleting()) fill(name);
  }
}

void NewCluster::publish_root_ca(const std::string& ns) {
  auto desired = root_ca(options_.root_ca_pem);
  const kube::Key key(ns, kRootCa);
  const Tree* found = publisher_.tree(kube::config_maps(), key);
  if (found == nullptr) {
    publisher_.create(kube::config_maps(), ns, std::move(desired));
    return;
  }
  const bool has_data = found->copy_at({"data"}) == desired.copy_at({"data"});
  if (has_data && !found->text_at({"metadata", "annotations", kDescription}).empty()) return;
  auto next = *found;
  next["data"] = desired.copy_at({"data"});
  next["metadata"]["annotations"][kDescription] = desired.text_at({"metadata", "annotations", kDescription});
  publisher_.write(kube::config_maps(), key, std::move(next));
}

void NewCluster::fill(const std::string& ns) {
  accounts_.create(kube::service_accounts(), ns, named(kAccount));
  publish_root_ca(ns);
}

}  // namespace keelson::sandbox
