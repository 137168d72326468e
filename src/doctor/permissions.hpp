// The permissions of the manager's service account: those that this binary needs, and those that its roles grant.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <compare>
#include <set>
#include <string>
#include <vector>

#include "src/doctor/installation.hpp"

namespace keelson::doctor {

struct NeededPermission {
  std::string group;
  std::string resource;  // "deployments/status"
  std::string verb;
  std::string ns;    // empty: all namespaces
  std::string name;  // empty: all objects
  auto operator<=>(const NeededPermission&) const = default;
};

// `useful` are the useful_permissions() of the program.
[[nodiscard]] boost::asio::awaitable<void> examine_permissions(Reader& reader, const Installation& installation,
                                                               const std::set<NeededPermission>& useful,
                                                               Findings& findings);

// Follows from the controllers, which are the selected ones, and from the flags: leader election, the certificate of
// webhooks, reviews of clients of /metrics by the manager or its proxy. `lease_ns` is that of the lease.
[[nodiscard]] std::set<NeededPermission> needed_permissions(const Examined& examined, const DeployedFlags& flags,
                                                            const std::string& ns, const std::string& lease_ns,
                                                            bool has_proxy);

// The permissions that any flags need, for all controllers of the program: the roles of its version have no others.
[[nodiscard]] std::set<NeededPermission> useful_permissions(const Examined& examined);

// A review of what the service account may do; with an empty `account` of what the user of this command may.
[[nodiscard]] kube::ApiRequest access_review(const NeededPermission& needed, const std::string& ns,
                                             const std::string& account);

// `reviews` have the order of `needed`; if the first fails, the others are not sent.
void check_needed(const std::set<NeededPermission>& needed, const Requests& reviews, Findings& findings);

// The roles that a list of bindings gives to the service account.
struct BoundRole {
  std::string kind;  // Role or ClusterRole
  std::string ns;    // of a Role
  std::string name;
  auto operator<=>(const BoundRole&) const = default;
};
void add_bound_roles(json::View bindings, const std::string& ns, const std::string& account,
                     std::set<BoundRole>& roles);

// Rules of the role that `useful` does not contain. A `*` grants more than any version needs.
void check_role(const BoundRole& bound, json::View role, const std::set<NeededPermission>& useful, Findings& findings);

}  // namespace keelson::doctor
