#include "src/sandbox/controllers/api_services.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace keelson::sandbox {

namespace {

constexpr const char* kManagedLabel = "kube-aggregator.kubernetes.io/automanaged";
// The values of the label: the server creates the object once, or as long as a definition serves the version.
constexpr const char* kOnStart = "onstart";
constexpr const char* kAlways = "true";

struct Priorities {
  std::int64_t of_group = 0;
  std::int64_t of_version = 0;
};

// The built-in versions of kube-apiserver 1.36.
struct BuiltIn {
  const char* group;
  const char* version;
  Priorities priorities;
};
constexpr auto kBuiltIn = std::to_array<BuiltIn>({
    {"", "v1", {18000, 1}},
    {"apps", "v1", {17800, 15}},
    {"events.k8s.io", "v1", {17750, 15}},
    {"authentication.k8s.io", "v1", {17700, 15}},
    {"authorization.k8s.io", "v1", {17600, 15}},
    {"autoscaling", "v1", {17500, 15}},
    {"autoscaling", "v2", {17500, 30}},
    {"batch", "v1", {17400, 15}},
    {"certificates.k8s.io", "v1", {17300, 15}},
    {"networking.k8s.io", "v1", {17200, 15}},
    {"policy", "v1", {17100, 15}},
    {"rbac.authorization.k8s.io", "v1", {17000, 15}},
    {"storage.k8s.io", "v1", {16800, 15}},
    {"admissionregistration.k8s.io", "v1", {16700, 15}},
    {"apiextensions.k8s.io", "v1", {16700, 15}},
    {"scheduling.k8s.io", "v1", {16600, 15}},
    {"coordination.k8s.io", "v1", {16500, 15}},
    {"node.k8s.io", "v1", {16300, 15}},
    {"discovery.k8s.io", "v1", {16200, 15}},
    {"resource.k8s.io", "v1", {16200, 21}},
    {"flowcontrol.apiserver.k8s.io", "v1", {16100, 21}},
});
constexpr Priorities kOfDefinitions = {1000, 100};

Tree api_service(const std::string& version, const std::string& group, const Priorities& priorities,
                 const char* managed) {
  auto spec = Tree::object();
  if (!group.empty()) spec["group"] = group;
  spec["version"] = version;
  spec["groupPriorityMinimum"] = priorities.of_group;
  spec["versionPriority"] = priorities.of_version;
  return Tree::object({{"metadata", Tree::object({{"name", version + "." + group},
                                                  {"labels", Tree::object({{kManagedLabel, managed}})}})},
                       {"spec", std::move(spec)}});
}

}  // namespace

const kube::Resource& api_services() {
  static const kube::Resource kApiServices("apiregistration.k8s.io", "v1", "APIService", "apiservices", false);
  return kApiServices;
}

ApiServices::ApiServices(World& world, Committer& committer, Deletes& deletes, bool has_cluster_objects)
    : operations_(world, committer, deletes, "system:apiserver"),
      has_cluster_objects_(has_cluster_objects),
      passes_(world.clock, {}, [this] { reconcile_all(); }) {}

void ApiServices::begin() {
  if (!has_cluster_objects_) return;
  for (const auto& [group, version, priorities] : kBuiltIn) {
    operations_.create(api_services(), "", api_service(version, group, priorities, kOnStart));
  }
}

void ApiServices::hear(const Change& change) {
  if (!has_cluster_objects_) return;
  const auto& resource = change.kind->resource;
  const auto name = change.key().name;
  if (resource == kube::custom_resource_definitions()) {
    changed_definitions_.insert(name);
    passes_.wake();
  } else if (resource == api_services()) {
    const bool is_managed = change.after && change.after->label(kManagedLabel) == kAlways;
    if (!is_managed && !serving_.contains(name)) return;
    changed_services_.insert(name);
    passes_.wake();
  }
}

void ApiServices::reconcile_all() {
  for (const auto& name : std::exchange(changed_definitions_, {})) update_versions(name);
  for (const auto& name : std::exchange(changed_services_, {})) {
    if (reconcile(name)) continue;
    changed_services_.insert(name);
    passes_.wake_after_rejection();
  }
}

void ApiServices::update_versions(const std::string& definition) {
  Names now;
  if (const Tree* stored = operations_.tree(kube::custom_resource_definitions(), kube::Key("", definition))) {
    const auto group = stored->text_at({"spec", "group"});
    for (const auto& version : stored->items_at({"spec", "versions"})) {
      if (version.is_true_at({"served"})) now.insert(version.text_at({"name"}) + "." + group);
    }
  }
  auto before = std::exchange(served_by_[definition], now);
  if (now.empty()) served_by_.erase(definition);
  for (const auto& name : before) {
    auto found = serving_.find(name);
    if (now.contains(name) || found == serving_.end()) continue;
    found->second.erase(definition);
    if (found->second.empty()) serving_.erase(found);
  }
  for (const auto& name : now) serving_[name].insert(definition);
  // All of them, because a former write may have failed.
  changed_services_.merge(before);
  changed_services_.merge(now);
}

bool ApiServices::reconcile(const std::string& name) {
  const kube::Key key("", name);
  const Tree* stored = operations_.tree(api_services(), key);
  const bool is_desired = serving_.contains(name);
  const auto end_of_version = name.find('.');
  if (stored == nullptr && !is_desired) return true;
  auto desired = api_service(name.substr(0, end_of_version), name.substr(end_of_version + 1), kOfDefinitions, kAlways);
  if (stored == nullptr) return !operations_.create(api_services(), "", std::move(desired));
  if (stored->text_at({"metadata", "labels", kManagedLabel}) != kAlways) return true;
  if (!is_desired) {
    operations_.remove(api_services(), key);
    return true;
  }
  if (stored->copy_at({"spec"}) == desired["spec"]) return true;
  auto next = *stored;
  next["spec"] = std::move(desired["spec"]);
  return !operations_.write(api_services(), key, std::move(next));
}

}  // namespace keelson::sandbox
