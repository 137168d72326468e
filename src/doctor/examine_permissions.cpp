#include "src/doctor/examination.hpp"

#include <utility>

#include "src/doctor/limits.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

const char* const kRbac = "rbac.authorization.k8s.io";

}  // namespace

awaitable<void> Examination::examine_permissions() {
  auto& findings = report_.findings;
  if (!deployments_.back().reply) {
    findings.add_unreadable(Area::kPermissions, deployments_.back().reply.error());
    findings.summarize(Area::kPermissions, "the manager's service account is unknown");
    co_return;
  }
  needed_ = needed_permissions(examined_, flags_, report_.ns, lease_namespace(), deployed_.proxy_port.has_value());
  auto account = deployed_.account;
  Requests self;
  self.emplace_back(review_of("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews",
                              R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"));
  co_await reader_.read(self);
  const auto& user = self.front().reply;
  const auto manager = "system:serviceaccount:" + deployed_.ns + ":" + account;
  if (user && text_at(user->root(), {"status", "userInfo", "username"}) == manager) account.clear();
  // If the first review fails, the others would fail as well.
  Requests reviews;
  for (const auto& permission : needed_) {
    reviews.emplace_back(access_review(permission, report_.ns, account));
    if (reviews.size() > 1) continue;
    co_await reader_.read(reviews);
    if (!reviews.front().reply) break;
  }
  if (reviews.size() == needed_.size()) co_await reader_.read(reviews);
  check_needed(needed_, reviews, findings);
  if (has_deployment()) co_await examine_roles();
}

awaitable<void> Examination::examine_roles() {
  std::set<BoundRole> bound;
  co_await add_bindings("ClusterRoleBinding", "clusterrolebindings", bound);
  co_await add_bindings("RoleBinding", "rolebindings", bound);
  // `doctor --role` prints it: it is for these checks.
  std::erase_if(bound, [this](const BoundRole& role) { return role.name == examined_.name.with("doctor"); });
  Requests roles;
  for (const auto& role : bound) {
    const bool is_namespaced = role.kind == "Role";
    roles.emplace_back(
        get_of({kRbac, "v1", role.kind, is_namespaced ? "roles" : "clusterroles", is_namespaced}, role.ns, role.name));
  }
  co_await reader_.read(roles);
  auto role = roles.begin();
  for (const auto& binding : bound) {
    const auto& reading = (role++)->reply;
    if (reading) check_role(binding, reading->root(), useful_, report_.findings);
    add_unless_missing(Area::kPermissions, reading, report_.findings);
  }
}

awaitable<void> Examination::add_bindings(const char* kind, const char* plural, std::set<BoundRole>& roles) {
  std::string token;
  for (int page = 0; page < limits::kBindingsPages; ++page) {
    Query query = {{"limit", std::to_string(limits::kBindingsPage)}};
    if (!token.empty()) query.emplace_back("continue", token);
    Requests list;
    list.emplace_back(list_of({kRbac, "v1", kind, plural}, "", std::move(query)));
    co_await reader_.read(list);
    const auto& reading = list.front().reply;
    if (!reading) {
      report_.findings.add_unreadable(Area::kPermissions, reading.error());
      co_return;
    }
    add_bound_roles(reading->root(), deployed_.ns, deployed_.account, roles);
    token = text_at(reading->root(), {"metadata", "continue"});
    if (token.empty()) co_return;
  }
}

}  // namespace keelson::doctor
