#include "keelson/detail/controller/manager_rules.hpp"

#include <map>
#include <set>
#include <utility>

#include "keelson/detail/controller/definition_parts.hpp"

namespace keelson::controller {

namespace {

using Words = std::set<std::string>;

// Verbs by group and resource.
class Grants {
 public:
  void add(const std::string& group, const std::string& resource, const std::vector<std::string>& verbs) {
    verbs_[{group, resource}].insert(verbs.begin(), verbs.end());
  }
  [[nodiscard]] const std::map<std::pair<std::string, std::string>, Words>& verbs() const { return verbs_; }

 private:
  std::map<std::pair<std::string, std::string>, Words> verbs_;
};

// An informer sends list and watch. The cache answers reads, so `get` is not needed.
const std::vector<std::string> kRead = {"list", "watch"};

void grant_own_kind(Grants& grants, const Definition& definition) {
  const auto& resource = definition.resource();
  const bool exists = definition.parts().is_of_existing_kind;
  grants.add(resource.group, resource.plural, kRead);
  if (!exists) grants.add(resource.group, resource.plural + "/status", {"patch"});
  // OwnerReferencesPermissionEnforcement (on in OpenShift) requires it for owner references with blockOwnerDeletion.
  if (!exists || definition.parts().owns_children) {
    grants.add(resource.group, resource.plural + "/finalizers", {"update"});
  }
}

Grants all_grants(const std::vector<Definition>& definitions, const std::vector<Permission>& others) {
  Grants grants;
  for (const Permission& permission : others) grants.add(permission.group, permission.resource, permission.verbs);
  // The runtime writes Events for every controller, in the old group on servers that lack the new one.
  for (const kube::Resource& events : {kube::events(), kube::core_events()}) {
    grants.add(events.group, events.plural, {"create", "patch"});
  }
  for (const Definition& definition : definitions) {
    grant_own_kind(grants, definition);
    for (const Source& source : definition.parts().sources) {
      grants.add(source.resource.group, source.resource.plural, kRead);
    }
    for (const Permission& permission : definition.parts().permissions) {
      grants.add(permission.group, permission.resource, permission.verbs);
    }
  }
  return grants;
}

std::vector<std::string> listed(const Words& words) { return {words.begin(), words.end()}; }

}  // namespace

std::vector<PolicyRule> manager_rules(const std::vector<Definition>& definitions,
                                      const std::vector<Permission>& others) {
  const Grants grants = all_grants(definitions, others);
  std::map<std::pair<std::string, Words>, Words> resources_by_group_and_verbs;
  for (const auto& [where, verbs] : grants.verbs()) {
    resources_by_group_and_verbs[{where.first, verbs}].insert(where.second);
  }
  std::map<std::pair<Words, Words>, Words> groups_by_resources_and_verbs;
  for (const auto& [key, resources] : resources_by_group_and_verbs) {
    groups_by_resources_and_verbs[{resources, key.second}].insert(key.first);
  }
  std::map<std::pair<Words, Words>, Words> verbs_by_groups_and_resources;
  for (const auto& [key, groups] : groups_by_resources_and_verbs) {
    verbs_by_groups_and_resources[{groups, key.first}] = key.second;
  }
  std::vector<PolicyRule> rules;
  for (const auto& [key, verbs] : verbs_by_groups_and_resources) {
    rules.push_back({listed(key.first), listed(key.second), listed(verbs)});
  }
  return rules;
}

std::vector<PolicyRule> leader_election_rules() {
  return {{{kube::leases().group}, {kube::leases().plural}, {"create", "get", "update", "watch"}},
          {{""}, {"events"}, {"create", "patch"}}};
}

}  // namespace keelson::controller
