// A healthy installation of an operator with one kind, as the replies of an API server, for tests that change a reply.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/detail/doctor/doctor.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/fake_stream.hpp"
#include "test/support/parsed.hpp"
#include "test/support/status_error.hpp"

namespace keelson::doctor {

inline std::vector<std::string> ids_of(const Findings& findings) {
  std::vector<std::string> ids;
  for (const auto& finding : findings.all()) ids.emplace_back(finding.kind->id);
  return ids;
}

using testing::parsed;
using testing::status_error;

inline kube::Kind boats() {
  kube::Kind kind;
  kind.resource = kube::Resource("sea.example.com", "v1", "Boat", "boats");
  kind.singular = "boat";
  kind.spec_schema = R"({"type":"object","properties":{"size":{"type":"integer","minimum":1,"description":"Crew."}}})";
  kind.status_schema = R"({"type":"object","properties":{"observedGeneration":{"type":"integer","format":"int64"}}})";
  kind.sample = "apiVersion: sea.example.com/v1\nkind: Boat\nmetadata:\n  name: boat-sample\nspec:\n  size: 1\n";
  return kind;
}

// Its live CustomResourceDefinition.
inline std::string established(const kube::Kind& kind) {
  auto text = kube::custom_resource_definition(kind);
  text.pop_back();
  return text + R"(,"status":{"storedVersions":["v1"],"conditions":[{"type":"NamesAccepted","status":"True"},)" +
         R"({"type":"Established","status":"True"}]}})";
}

inline controller::Definition boat_controller() {
  auto definition = controller::define(boats());
  definition.owns(kube::deployments());
  return definition;
}

inline std::string list_json(const std::string& items) { return R"({"metadata":{},"items":[)" + items + "]}"; }

inline const char* const kDeployment =
    R"({"metadata":{"name":"sea-controller-manager","namespace":"sea-system","generation":1,)"
    R"("labels":{"app.kubernetes.io/name":"sea"}},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},)"
    R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"serviceAccountName":"sailor","containers":[)"
    R"({"name":"manager","image":"sea:1.0.0","command":["/manager"],"args":["--leader-elect"],)"
    R"("ports":[{"containerPort":8443,"name":"https"}]}]}}},)"
    R"("status":{"observedGeneration":1,"updatedReplicas":1,"replicas":1}})";
inline const char* const kPod =
    R"({"metadata":{"name":"sea-1","namespace":"sea-system"},"spec":{"containers":[{"name":"manager","image":"sea:1.0.0"}]},)"
    R"("status":{"conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"manager","restartCount":0}]}})";
// The virtual clock of a test begins at 2026-01-01T00:00:00Z.
inline const char* const kLease =
    R"({"metadata":{"name":"sea-manager","namespace":"sea-system"},"spec":{"holderIdentity":"sea-1_x",)"
    R"("leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.000000Z","leaseTransitions":1}})";
inline const char* const kService =
    R"({"metadata":{"name":"metrics"},"spec":{"selector":{"a":"b"},"ports":[{"port":8443,"targetPort":"https"}]}})";
inline const char* const kSlice = R"({"endpoints":[{"conditions":{"ready":true}}]})";

// Has sent its status, and sends nothing more.
class HangingStream final : public net::Stream {
 public:
  explicit HangingStream(async::Clock& clock) : clock_(clock) {}
  int status() const override { return 200; }
  const net::Headers& headers() const override { return headers_; }
  Task<std::size_t> read_some(std::span<char>) override {
    co_await async::sleep_for(clock_, std::chrono::hours(1));
    co_return timeout_error("an hour");
  }
  void stop_reading() override {}

 private:
  async::Clock& clock_;
  net::Headers headers_;
};

// Answers by "VERB PATH"; anything else is 404.
class ScriptedClient final : public kube::Client {
 public:
  explicit ScriptedClient(async::Clock& clock) : clock_(clock) {}
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    auto reply = answer(request);
    if (requests.back() == hangs_at) co_await async::sleep_for(clock_, std::chrono::hours(1));
    if (!reply) co_return std::move(reply).error();
    co_return kube::ApiReply{200, std::move(*reply)};
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    auto reply = answer(request);
    if (requests.back() == hangs_at) {
      std::unique_ptr<net::Stream> hanging = std::make_unique<HangingStream>(clock_);
      co_return hanging;
    }
    if (!reply) co_return std::move(reply).error();
    auto body = testing::whole_body(std::move(*reply));
    std::unique_ptr<net::Stream> stream =
        std::make_unique<testing::FakeStream>(std::move(body), net::Headers{{"Date", date}});
    co_return stream;
  }

  std::map<std::string, Result<std::string>> replies;
  std::string date = "Thu, 01 Jan 2026 00:00:00 GMT";
  std::vector<std::string> requests;
  std::optional<std::size_t> fails_at;  // the number of the request that gets `fault`
  std::optional<Result<std::string>> fault;
  std::string hangs_at;  // a request that is not answered

 private:
  async::Clock& clock_;
  Result<std::string> answer(const kube::ApiRequest& request) {
    auto path = request.raw_path;
    if (path.empty()) path = request.resource.path(request.key.ns, request.key.name, request.subresource);
    const auto key = std::string(kube::verb_name(request.verb)) + " " + path;
    requests.push_back(key);
    if (fails_at && requests.size() - 1 == *fails_at) return *fault;
    const auto found = replies.find(key);
    if (found == replies.end()) return status_error(404, "NotFound", key + " not found");
    return found->second;
  }
};

struct SeaWorld {
  SeaWorld() {
    client.replies = {
        {"get /version", std::string(R"({"major":"1","minor":"36","gitVersion":"v1.36.3"})")},
        {"list /apis/apps/v1/deployments", list_json(kDeployment)},
        {"list /api/v1/namespaces/sea-system/pods", list_json(kPod)},
        {"get /api/v1/namespaces/default", std::string(R"({"status":{"phase":"Active"}})")},
        {"get /api/v1/namespaces/sea-system", std::string(R"({"status":{"phase":"Active"}})")},
        {"get /apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.sea.example.com", established(boats())},
        {"create /apis/authentication.k8s.io/v1/selfsubjectreviews",
         std::string(R"({"status":{"userInfo":{"username":"admin"}}})")},
        {"create /apis/authorization.k8s.io/v1/subjectaccessreviews", std::string(R"({"status":{"allowed":true}})")},
        {"list /apis/rbac.authorization.k8s.io/v1/clusterrolebindings", list_json("")},
        {"list /apis/rbac.authorization.k8s.io/v1/rolebindings",
         list_json(R"({"metadata":{"namespace":"sea-system"},"roleRef":{"kind":"Role","name":"elect"},)"
                   R"("subjects":[{"kind":"ServiceAccount","namespace":"sea-system","name":"sailor"}]})")},
        {"get /apis/rbac.authorization.k8s.io/v1/namespaces/sea-system/roles/elect",
         std::string(R"({"rules":[{"apiGroups":["coordination.k8s.io"],"resources":["leases"],"verbs":["get"]}]})")},
        {"list /api/v1/namespaces/sea-system/services", list_json(kService)},
        {"list /apis/discovery.k8s.io/v1/namespaces/sea-system/endpointslices", list_json(kSlice)},
        {"watch /apis/sea.example.com/v1/boats",
         std::string(
             R"({"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}})") +
             "\n"},
        {"list /apis/apps/v1/deployments", list_json(kDeployment)},
        {"list /apis/sea.example.com/v1/boats", list_json("")},
        {"get /apis/coordination.k8s.io/v1/namespaces/sea-system/leases/sea-manager", std::string(kLease)},
        {"list /apis/coordination.k8s.io/v1/leases", list_json(kLease)},
    };
  }

  [[nodiscard]] Examined examined() const {
    return {.program = "manager",
            .version = "1.0.0",
            .server = "https://sea",
            .name = kube::OperatorName("sea"),
            .controllers = {boat_controller()},
            .webhooks = {},
            .permissions = {},
            .ns = "",
            .default_ns = "default",
            .parse_flags = [flags = flags](const ManagerContainer&) { return Result<DeployedFlags>(flags); }};
  }

  [[nodiscard]] Report examine() {
    Report report;
    loop.run(
        [&]() -> boost::asio::awaitable<void> { co_await doctor::examine(client, loop.clock(), examined(), report); });
    return report;
  }

  sandbox::loop::TestLoop loop;
  ScriptedClient client{loop.clock()};
  DeployedFlags flags{.controllers = {"boat"},
                      .watch_namespaces = {},
                      .dry_run = false,
                      .leader_elect = true,
                      .lease_name = "sea-manager",
                      .lease_namespace = "",
                      .metrics = DeployedFlags::Metrics::kSecure,
                      .metrics_bind_address = ":8443"};
};

inline constexpr const char* kRunning =
    R"({"metadata":{"name":"sea-1","namespace":"sea-system"},"spec":{"serviceAccountName":"sailor",)"
    R"("containers":[{"name":"manager","image":"sea:1.0.0",)"
    R"("ports":[{"name":"health","containerPort":9090}]}]},"status":{"phase":"Running",)"
    R"("conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"manager","restartCount":0}]}})";
inline constexpr const char* kPods = "list /api/v1/namespaces/sea-system/pods";
inline constexpr const char* kStatusz = "get /api/v1/namespaces/sea-system/pods/sea-1:9090/proxy/statusz";

// The pod of the manager is running, and answers with `page`.
inline void run_pod(SeaWorld& world, Result<std::string> page) {
  world.client.replies.at(kPods) = list_json(kRunning);
  world.client.replies.insert_or_assign(kStatusz, std::move(page));
}

}  // namespace keelson::doctor
