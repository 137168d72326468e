#include "src/doctor/permissions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

Examined sea() {
  Examined examined;
  examined.controllers = {boat_controller()};
  return examined;
}

Request replied(Reading reply) {
  Request review{kube::ApiRequest()};
  review.reply = std::move(reply);
  return review;
}

Request decided(bool allowed) {
  return replied(json::Document::parse(std::string(R"({"status":{"allowed":)") + (allowed ? "true}}" : "false}}")));
}

bool contains(const std::set<NeededPermission>& needed, const NeededPermission& permission) {
  return needed.contains(permission);
}

bool is_granted(const std::set<NeededPermission>& permissions, const std::string& group, const std::string& resource,
                const std::string& verb) {
  return std::ranges::any_of(permissions, [&](const NeededPermission& permission) {
    return permission.group == group && permission.resource == resource && permission.verb == verb;
  });
}

TEST_CASE("the needed permissions follow from the controllers and from the flags") {
  DeployedFlags flags;
  const auto without = needed_permissions(sea(), flags, "sea-system", "elect", false);
  CHECK(contains(without, {"sea.example.com", "boats/status", "patch", "", ""}));
  CHECK(contains(without, {"apps", "deployments", "watch", "", ""}));
  CHECK_FALSE(contains(without, {"coordination.k8s.io", "leases", "get", "elect", ""}));
  CHECK_FALSE(contains(without, {"authentication.k8s.io", "tokenreviews", "create", "", ""}));

  flags.leader_elect = true;
  flags.webhooks = DeployedFlags::Webhooks::kSelfSigned;
  flags.webhook_secret = "cert";
  flags.mutating_configuration = "mutating";
  flags.validating_configuration = "validating";
  flags.watch_namespaces = {"one", "two"};
  const auto with = needed_permissions(sea(), flags, "sea-system", "elect", true);
  CHECK(contains(with, {"coordination.k8s.io", "leases", "get", "elect", ""}));
  CHECK(contains(with, {"", "secrets", "patch", "sea-system", "cert"}));
  CHECK(contains(with, {"admissionregistration.k8s.io", "mutatingwebhookconfigurations", "get", "", "mutating"}));
  CHECK(contains(with, {"authentication.k8s.io", "tokenreviews", "create", "", ""}));
  CHECK(contains(with, {"apps", "deployments", "watch", "two", ""}));
  CHECK_FALSE(contains(with, {"apps", "deployments", "watch", "", ""}));
}

TEST_CASE("permissions are reviewed in a limited number of namespaces") {
  DeployedFlags flags;
  for (int i = 0; i < 50; ++i) flags.watch_namespaces.push_back("ns-" + std::to_string(i));

  const auto needed = needed_permissions(sea(), flags, "sea-system", "", false);

  std::set<std::string> namespaces;
  for (const auto& permission : needed) namespaces.insert(permission.ns);
  CHECK(namespaces.size() == 5);
}

TEST_CASE("a review is about the service account with its groups, or about the user of the command") {
  const NeededPermission status{"apps", "deployments/status", "patch", "", "web"};
  const auto account = parsed(access_review(status, "sea-system", "sailor").body);
  const auto spec = account.root().find("spec");
  CHECK(account.root().find("kind").string() == "SubjectAccessReview");
  CHECK(spec.find("user").string() == "system:serviceaccount:sea-system:sailor");
  CHECK(spec.find("groups").text() ==
        R"(["system:serviceaccounts","system:serviceaccounts:sea-system","system:authenticated"])");
  CHECK(spec.find("resourceAttributes").text() ==
        R"({"verb":"patch","group":"apps","resource":"deployments","subresource":"status","name":"web"})");

  const auto self = access_review({"", "pods", "list", "one", ""}, "sea-system", "");
  CHECK(self.resource.plural == "selfsubjectaccessreviews");
  const auto own = parsed(self.body);
  CHECK(own.root().find("spec").text() ==
        R"({"resourceAttributes":{"verb":"list","group":"","resource":"pods","namespace":"one"}})");
}

TEST_CASE("missing permissions of one resource are one finding with their verbs") {
  const std::set<NeededPermission> needed = {{"apps", "deployments", "list", "", ""},
                                             {"apps", "deployments", "watch", "", ""},
                                             {"apps", "deployments/scale", "get", "one", ""}};
  Requests reviews;
  reviews.push_back(decided(false));
  reviews.push_back(decided(false));
  reviews.push_back(decided(true));
  Findings findings;

  check_needed(needed, reviews, findings);

  REQUIRE(ids_of(findings) == Ids{"permission-missing"});
  CHECK(findings.all().front().subject == "deployments.apps");
  CHECK(findings.all().front().detail == "list, watch");
  CHECK(findings.summary(Area::kPermissions) == "1 of 3 permissions are granted");
}

TEST_CASE("reviews that fail are unknown, once") {
  const std::set<NeededPermission> needed = {{"", "pods", "list", "", ""}, {"", "pods", "watch", "", ""}};
  Requests reviews;
  reviews.push_back(replied(status_error(403, "Forbidden")));
  reviews.push_back(replied(json::Document::parse("{}")));
  Findings findings;

  check_needed(needed, reviews, findings);

  CHECK(ids_of(findings) == Ids{"check-forbidden"});
  CHECK(findings.summary(Area::kPermissions) == "0 of 2 permissions are granted, 2 are unknown");
}

TEST_CASE("the roles of a service account are those that are bound to it") {
  const auto bindings = parsed(list_json(
      R"({"metadata":{"namespace":"one"},"roleRef":{"kind":"Role","name":"a"},"subjects":[{"kind":"ServiceAccount","namespace":"sea","name":"sailor"}]},)"
      R"({"metadata":{},"roleRef":{"kind":"ClusterRole","name":"b"},"subjects":[{"kind":"User","name":"x"},{"kind":"ServiceAccount","namespace":"sea","name":"sailor"}]},)"
      R"({"metadata":{},"roleRef":{"kind":"ClusterRole","name":"c"},"subjects":[{"kind":"ServiceAccount","namespace":"other","name":"sailor"}]},)"
      R"({"metadata":{},"roleRef":{"kind":"ClusterRole","name":"d"}})"));
  std::set<BoundRole> roles;

  add_bound_roles(bindings.root(), "sea", "sailor", roles);

  CHECK(roles == std::set<BoundRole>{{"ClusterRole", "", "b"}, {"Role", "one", "a"}});
}

TEST_CASE("permissions for other flags and for controllers that are not selected are of use") {
  const auto useful = useful_permissions(sea());

  CHECK(is_granted(useful, "coordination.k8s.io", "leases", "update"));
  CHECK(is_granted(useful, "admissionregistration.k8s.io", "validatingwebhookconfigurations", "patch"));
  CHECK(is_granted(useful, "authentication.k8s.io", "tokenreviews", "create"));
  CHECK(is_granted(useful, "apps", "deployments", "watch"));
  CHECK_FALSE(is_granted(useful, "apps", "daemonsets", "watch"));
}

TEST_CASE("rules of a role that are not needed are one finding") {
  const std::set<NeededPermission> needed = {{"apps", "deployments", "list", "", ""}};
  const auto exact = parsed(R"({"rules":[{"apiGroups":["apps"],"resources":["deployments"],"verbs":["list"]},)"
                            R"({"nonResourceURLs":["/metrics"],"verbs":["get"]}]})");
  const auto wide = parsed(R"({"rules":[{"apiGroups":["apps"],"resources":["deployments","*"],"verbs":["list"]},)"
                           R"({"apiGroups":[""],"resources":["pods/log"],"verbs":["get"]}]})");
  Findings findings;
  check_role({"ClusterRole", "", "exact"}, exact.root(), needed, findings);
  CHECK(ids_of(findings).empty());

  check_role({"ClusterRole", "", "wide"}, wide.root(), needed, findings);

  REQUIRE(ids_of(findings) == Ids{"permission-unused"});
  CHECK(findings.all().front().subject == "clusterroles/wide");
  CHECK(findings.all().front().detail == "list *.apps, get pods/log");
}

}  // namespace
}  // namespace keelson::doctor
