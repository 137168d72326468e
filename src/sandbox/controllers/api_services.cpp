#include "src/sandbox/controllers/api_services.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace keelson::sandbox {

namespace {

constexpr const char* kManagedLabel = "kube-aggregator.kubernetes.io/automanaged";
// Its value: created once, or kept as long as a definition serves the version.
constexpr const char* kOnStart = "onstart";
constexpr const char* kAlways = "true";

const kube::Resource& api_services() {
  static const kube::Resource kApiServices("apiregistration.k8s.io", "v1", "APIService", "apiservices", false);
  return kApiServices;
}

struct Priorities {
  std::int64_t of_group = 0;
  std::int64_t of_version = 0;
};

// Those of kube-apiserver 1.36.
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

ApiServices::ApiServices(World& world, Committer& committer, Deletes& deletes, bool has_cluster_objects)
    : operations_(world, committer, deletes, "system:apiserver"), has_cluster_objects_(has_cluster_objects) {}

void ApiServices::begin() {
  if (!has_cluster_objects_) return;
  for (const auto& [group, version, priorities] : kBuiltIn) {
    operations_.create(api_services(), "", api_service(version, group, priorities, kOnStart));
  }
}

void ApiServices::hear(const Change& change) {
  if (!has_cluster_objects_) return;
  const auto& resource = change.kind->resource;
  if (resource == kube::custom_resource_definitions()) {
    changed_definitions_.insert(change.key().name);
  } else if (resource == api_services() && serving_.contains(change.key().name)) {
    changed_services_.insert(change.key().name);
  }
  if (timer_ || (changed_definitions_.empty() && changed_services_.empty())) return;
  auto& clock = operations_.world.clock;
  timer_ = clock.call_at(clock.now(), [this] {
    timer_.reset();
    settle();
  });
}

void ApiServices::settle() {
  for (const auto& name : std::exchange(changed_definitions_, {})) look_at_versions(name);
  for (const auto& name : std::exchange(changed_services_, {})) settle(name);
}

void ApiServices::look_at_versions(const std::string& definition) {
  Names now;
  if (const Tree* stored = operations_.tree(kube::custom_resource_definitions(), kube::Key("", definition))) {
    const auto group = stored->text_at({"spec", "group"});
    for (const auto& version : stored->items_at({"spec", "versions"})) {
      if (version.is_true_at({"served"})) now.insert(version.text_at({"name"}) + "." + group);
    }
  }
  auto& before = served_by_[definition];
  for (const auto& name : before) {
    if (!now.contains(name)) serving_[name].erase(definition);
  }
  for (const auto& name : now) serving_[name].insert(definition);
  std::ranges::set_symmetric_difference(before, now, std::inserter(changed_services_, changed_services_.end()));
  before = std::move(now);
  if (before.empty()) served_by_.erase(definition);
}

void ApiServices::settle(const std::string& name) {
  const Tree* stored = operations_.tree(api_services(), kube::Key("", name));
  const bool is_wanted = !serving_[name].empty();
  if (!is_wanted) serving_.erase(name);
  if (stored == nullptr && is_wanted) {
    const auto end_of_version = name.find('.');
    operations_.create(
        api_services(), "",
        api_service(name.substr(0, end_of_version), name.substr(end_of_version + 1), kOfDefinitions, kAlways));
  } else if (stored != nullptr && !is_wanted && stored->text_at({"metadata", "labels", kManagedLabel}) == kAlways) {
    operations_.remove(api_services(), kube::Key("", name));
  }
}

}  // namespace keelson::sandbox
