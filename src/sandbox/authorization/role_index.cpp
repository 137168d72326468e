#include "src/sandbox/authorization/role_index.hpp"

#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/authorization/service_account_name.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kRbacGroup = "rbac.authorization.k8s.io";

std::string subject_of_user(const std::string& name) { return "u:" + name; }
std::string subject_of_group(const std::string& name) { return "g:" + name; }

bool is_role_kind(const ServedKind& kind) {
  return kind.resource.kind == "Role" || kind.resource.kind == "ClusterRole";
}

struct Subject {
  std::string key;
  std::string text;
};

// Empty for a subject that no user can match.
Subject subject_of(const Tree& subject, const std::string& binding_ns) {
  auto kind = subject.text_at({"kind"});
  auto name = subject.text_at({"name"});
  auto text = kind + " ";
  if (kind == "User") return {subject_of_user(name), text + base::quote_go(name)};
  if (kind == "Group") return {subject_of_group(name), text + base::quote_go(name)};
  auto ns = subject.text_at({"namespace"});
  if (ns.empty()) ns = binding_ns;
  if (kind != "ServiceAccount" || ns.empty()) return {};
  return {subject_of_user(service_account_user(kube::Key(ns, name))), text + base::quote_go(name + "/" + ns)};
}

std::string missing_role(const RoleIndex::Grant& grant) {
  if (grant.role_kind != "Role" && grant.role_kind != "ClusterRole") {
    return "unsupported role reference kind: " + base::quote_go(grant.role_kind);
  }
  const auto* plain = grant.role_kind == "Role" ? "role." : "clusterrole.";
  return std::string(plain) + kRbacGroup + " " + base::quote_go(grant.role) + " not found";
}

}  // namespace

std::string RoleIndex::Grant::text() const {
  auto name = binding.ns.empty() ? "ClusterRoleBinding " + base::quote_go(binding.name)
                                 : "RoleBinding " + base::quote_go(binding.name + "/" + binding.ns);
  return name + " of " + role_kind + " " + base::quote_go(role) + " to " + subject;
}

void RoleIndex::hear(const Change& change) {
  const auto& kind = *change.kind;
  if (!is_built_ || kind.resource.group != kRbacGroup) return;
  auto key = change.key();
  const auto* entry = world_.store.find(kind, key);
  if (is_role_kind(kind)) {
    roles_.erase(key);
    if (entry != nullptr) put_role(key, entry->stored().tree);
  } else {
    drop_binding(key);
    if (entry != nullptr) put_binding(key, entry->stored().tree);
  }
}

void RoleIndex::build() {
  if (is_built_) return;
  is_built_ = true;
  for (const auto* kind : world_.kinds.of_version(kRbacGroup, "v1")) {
    for (const auto& [key, entry] : world_.store.all(*kind)) {
      if (is_role_kind(*kind)) {
        put_role(key, entry.stored().tree);
      } else {
        put_binding(key, entry.stored().tree);
      }
    }
  }
}

void RoleIndex::put_role(const kube::Key& key, const Tree& role) { roles_[key] = rules_of(role); }

void RoleIndex::put_binding(const kube::Key& key, const Tree& binding) {
  for (const auto& one : binding.items_at({"subjects"})) {
    auto subject = subject_of(one, key.ns);
    if (subject.key.empty()) continue;
    Grant grant{key, binding.text_at({"roleRef", "kind"}), binding.text_at({"roleRef", "name"}),
                std::move(subject.text)};
    if (by_subject_[subject.key].emplace(key, std::move(grant)).second) subjects_[key].push_back(subject.key);
  }
}

void RoleIndex::drop_binding(const kube::Key& key) {
  auto found = subjects_.find(key);
  if (found == subjects_.end()) return;
  for (const auto& subject : found->second) {
    auto grants = by_subject_.find(subject);
    grants->second.erase(key);
    if (grants->second.empty()) by_subject_.erase(grants);
  }
  subjects_.erase(found);
}

std::vector<std::string> RoleIndex::visit(const UserInfo& user, const std::string& ns, const Visit& tell) {
  build();
  std::map<kube::Key, const Grant*> applying;
  auto add = [&](const std::string& subject) {
    auto found = by_subject_.find(subject);
    if (found == by_subject_.end()) return;
    auto add_scope = [&](const std::string& scope) {
      const auto& grants = found->second;
      for (auto one = grants.lower_bound(kube::Key(scope, "")); one != grants.end() && one->first.ns == scope; ++one) {
        applying.emplace(one->first, &one->second);
      }
    };
    add_scope("");
    if (!ns.empty()) add_scope(ns);
  };
  add(subject_of_user(user.name));
  for (const auto& group : user.groups) add(subject_of_group(group));
  std::vector<std::string> missing;
  std::set<std::string> named;
  for (const auto& [key, grant] : applying) {
    const bool is_local = grant->role_kind == "Role";
    const bool is_possible = grant->role_kind == "ClusterRole" || (is_local && !key.ns.empty());
    const auto* granted = is_possible ? rules(kube::Key(is_local ? key.ns : "", grant->role)) : nullptr;
    if (granted != nullptr) {
      if (!tell(*granted, *grant)) break;
      continue;
    }
    auto text = missing_role(*grant);
    if (named.insert(text).second) missing.push_back(std::move(text));
  }
  return missing;
}

const PolicyRules* RoleIndex::rules(const kube::Key& role) {
  build();
  auto found = roles_.find(role);
  return found == roles_.end() ? nullptr : &found->second;
}

}  // namespace keelson::sandbox
