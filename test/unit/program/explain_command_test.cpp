#include "src/program/commands/explain_command.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <sstream>

#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/support/status_error.hpp"

namespace keelson::program {

namespace {

Error status(int code, const std::string& reason) { return testing::status_error(code, reason, "rejected"); }

// An API server with manager pods, which answer by their names.
class FakeServer final : public kube::Client {
 public:
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    requests.push_back(request);
    co_return answer(request);
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override { co_return invalid_error("no streams here"); }

  Result<kube::ApiReply> answer(const kube::ApiRequest& request) {
    if (request.resource.plural == "leases") {
      if (holder.empty()) return status(404, "NotFound");
      return kube::ApiReply{200,
                            R"({"metadata":{"name":"keelson-manager"},"spec":{"holderIdentity":")" + holder + R"("}})"};
    }
    if (request.resource.plural == "pods") return list_of_pods();
    if (request.subresource == "token") {
      if (token.empty()) return status(403, "Forbidden");
      return kube::ApiReply{201, R"({"status":{"token":")" + token + R"("}})"};
    }
    for (const auto& [pod, text] : answers) {
      if (request.raw_path.find("/pods/" + pod + ":") == std::string::npos) continue;
      if (text.empty()) return status(503, "ServiceUnavailable");
      const auto sent = net::header(request.headers, "X-Keelson-Authorization");
      if (is_protected && sent != "Bearer secret-token") return status(401, "Unauthorized");
      return kube::ApiReply{200, text};
    }
    return status(403, "Forbidden");
  }
  [[nodiscard]] kube::ApiReply list_of_pods() const {
    std::string items;
    for (const auto& [pod, text] : answers) {
      items +=
          (items.empty() ? "" : ",") + std::string(R"({"metadata":{"name":")") + pod +
          R"(","namespace":"keelson-system"},"spec":{"serviceAccountName":"manager"},"status":{"phase":"Running"}})";
    }
    return {200, R"({"kind":"PodList","metadata":{},"items":[)" + items + "]}"};
  }

  std::map<std::string, std::string> answers;
  std::string holder;
  std::string token;
  bool is_protected = false;
  std::vector<kube::ApiRequest> requests;
};

ExplainQuestion question() {
  ExplainQuestion asked;
  asked.target = {{"cache.example.com", "v1", "Memcached", "memcacheds"}, kube::Key("default", "web")};
  asked.ns = "keelson-system";
  asked.lease = "keelson-manager";
  asked.audience = "keelson";
  return asked;
}

Result<PodAnswer> ask_pods(FakeServer& server, const ExplainQuestion& asked) {
  sandbox::loop::TestLoop loop;
  return testing::result_of(loop, explain_by_pods(server, asked));
}

Result<std::string> explain(FakeServer& server, const ExplainQuestion& asked) {
  auto answer = ask_pods(server, asked);
  if (!answer) return answer.error();
  return answer->text;
}

constexpr const char* kStandby = "Not reconciled by this replica: another replica is the leader.\n";

}  // namespace

TEST_CASE("the leader's pod is asked by the proxy of the API server") {
  FakeServer server;
  server.answers = {{"m-1", kStandby}, {"m-2", "Nothing to do.\n"}};
  server.holder = "m-2_0b5e";

  CHECK(explain(server, question()).value() == "Nothing to do.\n");

  const auto& request = server.requests.back();
  CHECK(request.raw_path == "/api/v1/namespaces/keelson-system/pods/m-2:8081/proxy/debug/objects");
  CHECK(request.query == std::vector<std::pair<std::string, std::string>>{
                             {"kind", "memcacheds.cache.example.com"}, {"namespace", "default"}, {"name", "web"}});
  CHECK(net::header(request.headers, "Accept") == "text/plain");
  CHECK(server.requests.size() == 3);
}

TEST_CASE("without a lease each pod is asked until one is not a standby") {
  FakeServer server;
  server.answers = {{"m-1", kStandby}, {"m-2", "Nothing to do.\n"}, {"m-3", "never asked"}};

  CHECK(explain(server, question()).value() == "Nothing to do.\n");

  server.answers = {{"m-1", kStandby}};
  CHECK(explain(server, question()).value() == kStandby);
}

TEST_CASE("after an error of a pod the next one is asked, and the error is returned if no leader answers") {
  FakeServer server;
  server.answers = {{"m-1", ""}, {"m-2", "Nothing to do.\n"}};
  CHECK(explain(server, question()).value() == "Nothing to do.\n");

  server.answers = {{"m-1", ""}, {"m-2", kStandby}};
  const auto failed = explain(server, question());
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().code == 503);
}

TEST_CASE("a manager that protects its pages is asked again with a token of its own account") {
  FakeServer server;
  server.answers = {{"m-1", "Nothing to do.\n"}};
  server.is_protected = true;
  server.token = "secret-token";

  CHECK(explain(server, question()).value() == "Nothing to do.\n");

  const auto& request = server.requests[server.requests.size() - 2];
  CHECK(request.verb == kube::Verb::kCreate);
  CHECK(request.key == kube::Key("keelson-system", "manager"));
  CHECK(request.body ==
        R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":["keelson"],)"
        R"("expirationSeconds":600}})");
}

TEST_CASE("an error names the permission that is missing, and never the token") {
  FakeServer server;
  server.answers = {{"m-1", "Nothing to do.\n"}};
  server.is_protected = true;
  const auto without_token = explain(server, question());
  REQUIRE_FALSE(without_token.has_value());
  CHECK(without_token.error().message().find(
            "this needs the permission to create serviceaccounts/token in the namespace keelson-system") !=
        std::string::npos);

  server.token = "other-token";
  const auto rejected = explain(server, question());
  REQUIRE_FALSE(rejected.has_value());
  CHECK(rejected.error().code == 401);
  CHECK(rejected.error().message().find("other-token") == std::string::npos);
}

TEST_CASE("without a running pod the answer says so, as text and as JSON") {
  FakeServer server;
  auto asked = question();

  CHECK(explain(server, asked)
            .value()
            .starts_with("Not reconciled: no pod of the manager is running in the namespace keelson-system.\n"));
  asked.wants_json = true;
  const auto document = json::Document::parse(explain(server, asked).value());
  REQUIRE(document.has_value());
  CHECK(document->root().at({"answer", "name"}).string() == "no-manager");
  CHECK(document->root()
            .at({"answer", "remedy"})
            .string()
            .value()
            .starts_with("`kubectl get pods -n keelson-system` has the reason."));
  CHECK_FALSE(ask_pods(server, asked).value().is_of_manager);
  server.answers = {{"m-1", "Nothing to do.\n"}};
  CHECK(ask_pods(server, asked).value().is_of_manager);
}

TEST_CASE("explain rejects unknown kinds, flags and outputs") {
  const kube::OperatorName name;
  std::vector<controller::Definition> controllers;
  const std::string program = "manager";
  const ExplainCommand command{program, name, controllers};
  for (const auto& words : std::vector<std::vector<std::string>>{
           {}, {"memcached", "default/web"}, {"--outptu=json"}, {"a", "b/c", "--output=yaml"}}) {
    std::ostringstream out;
    std::ostringstream errors;
    CHECK(explain_command(command, words, out, errors) == 2);
    CHECK(out.str().empty());
    CHECK(errors.str().ends_with("\nRun 'manager explain --help' for usage.\n"));
  }
}

}  // namespace keelson::program
