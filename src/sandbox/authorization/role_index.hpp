// All roles and bindings by subject, so that the cost of a request depends only on the bindings of its user.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/authorization/policy_rule.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

class RoleIndex {
 public:
  explicit RoleIndex(World& world) : world_(world) {}
  RoleIndex(const RoleIndex&) = delete;
  RoleIndex& operator=(const RoleIndex&) = delete;

  // Called for each stored change.
  void hear(const Change& change);

  struct Grant {
    kube::Key binding;  // ns empty: a ClusterRoleBinding
    std::string role_kind;
    std::string role;
    std::string subject;  // `Group "system:masters"`
    // `ClusterRoleBinding "b" of ClusterRole "r" to Group "g"`
    [[nodiscard]] std::string text() const;
  };
  // Calls `tell` with the rules of each binding that applies to the user in the namespace, until it returns false; ns
  // empty: at the cluster scope. Returns the missing roles.
  using Visit = std::function<bool(const PolicyRules& rules, const Grant& grant)>;
  [[nodiscard]] std::vector<std::string> visit(const UserInfo& user, const std::string& ns, const Visit& tell);

  // Null if it does not exist. ns empty: a ClusterRole.
  [[nodiscard]] const PolicyRules* rules(const kube::Key& role);

 private:
  using Grants = std::map<kube::Key, Grant>;
  void build();
  void put_role(const kube::Key& key, const Tree& role);
  void put_binding(const kube::Key& key, const Tree& binding);
  void drop_binding(const kube::Key& key);

  World& world_;
  bool is_built_ = false;  // the first request reads the objects that were stored before
  std::map<kube::Key, PolicyRules> roles_;
  base::TextMap<std::string, Grants> by_subject_;
  std::map<kube::Key, std::vector<std::string>> subjects_;  // of each binding
};

}  // namespace keelson::sandbox
