// What users may do: everything, or what RBAC says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/sandbox/api_server.hpp"
#include "src/sandbox/authorization/role_index.hpp"

namespace keelson::sandbox {

class Authorizer {
 public:
  Authorizer(World& world, Authorization mode) : mode_(mode), roles_(world) {}
  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;

  // Of every change that is stored.
  void hear(const Change& change) { roles_.hear(change); }

  // This user may do what these rules say and no more, whatever the mode.
  void limit(const std::string& user, const std::vector<controller::PolicyRule>& rules);

  [[nodiscard]] bool has_rbac() const { return mode_ == Authorization::kRbac; }

  struct Decision {
    bool is_allowed = false;
    std::string reason;  // "RBAC: allowed by …", or which roles are missing
  };
  [[nodiscard]] Decision decide(const UserInfo& user, const Access& access);
  // The 403 of a request that is not allowed.
  [[nodiscard]] std::optional<Refusal> check(const UserInfo& user, const Access& access);

  // All that the user may do in a namespace, cluster-wide rules first.
  struct Rules {
    PolicyRules rules;
    std::string error;  // which roles are missing
  };
  [[nodiscard]] Rules rules_for(const UserInfo& user, const std::string& ns);
  // Null if there is no such role. ns empty: a ClusterRole.
  [[nodiscard]] const PolicyRules* role(const kube::Key& key) { return roles_.rules(key); }

 private:
  Authorization mode_;
  RoleIndex roles_;
  std::map<std::string, PolicyRules> limits_;  // by user
};

}  // namespace keelson::sandbox
