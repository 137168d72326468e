// Authorizes requests: everything is allowed, or RBAC decides.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/sandbox/api_server.hpp"
#include "src/sandbox/authorization/role_index.hpp"
#include "src/sandbox/requests/rejection_or.hpp"

namespace keelson::sandbox {

class Authorizer {
 public:
  Authorizer(World& world, Authorization mode) : mode_(mode), roles_(world) {}
  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;

  // Called for each stored change.
  void hear(const Change& change) { roles_.hear(change); }

  // Limits the user to these rules, whatever the mode.
  void limit(const std::string& user, const std::vector<controller::PolicyRule>& rules);

  [[nodiscard]] bool has_rbac() const { return mode_ == Authorization::kRbac; }

  struct Decision {
    bool is_allowed = false;
    std::string reason;  // "RBAC: allowed by …", or the missing roles
  };
  [[nodiscard]] Decision decide(const UserInfo& user, const Access& access);
  // The 403 of an unauthorized request.
  [[nodiscard]] RejectionOr<void> check(const UserInfo& user, const Access& access);

  // All permissions of the user in a namespace, cluster-wide rules first.
  struct Rules {
    PolicyRules rules;
    std::string error;  // the missing roles
  };
  [[nodiscard]] Rules rules_for(const UserInfo& user, const std::string& ns);
  // Null if the role does not exist. ns empty: a ClusterRole.
  [[nodiscard]] const PolicyRules* role(const kube::Key& key) { return roles_.rules(key); }

 private:
  Authorization mode_;
  RoleIndex roles_;
  std::map<std::string, PolicyRules> limits_;  // by user
};

}  // namespace keelson::sandbox
