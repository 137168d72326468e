#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::HttpTalk;

struct AuditedTalk {
  AuditedTalk() : talk(options()) {}

  ApiServerOptions options() {
    ApiServerOptions made;
    made.audit = [this](const std::string& line) { lines.push_back(line); };
    return made;
  }
  // The only event since the previous call.
  Tree event() {
    REQUIRE(lines.size() == 1);
    REQUIRE(lines[0].ends_with("}\n"));
    auto parsed = Tree::parse(lines[0]);
    lines.clear();
    REQUIRE(parsed);
    return *parsed;
  }

  std::vector<std::string> lines;
  HttpTalk talk;
};

TEST_CASE("the audit log has the user, the request and the response code") {
  AuditedTalk audited;

  (void)audited.talk.send("GET", "/apis/apps/v1/namespaces/default/deployments/web/scale?x=y", "",
                          {{"User-Agent", "kubectl/v1"}});

  auto event = audited.event();
  CHECK(event.text_at({"kind"}) == "Event");
  CHECK(event.text_at({"apiVersion"}) == "audit.k8s.io/v1");
  CHECK(event.text_at({"stage"}) == "ResponseComplete");
  CHECK(event.text_at({"requestURI"}) == "/apis/apps/v1/namespaces/default/deployments/web/scale?x=y");
  CHECK(event.text_at({"verb"}) == "get");
  CHECK(event.text_at({"user", "username"}) == "alice");
  CHECK(event.text_at({"userAgent"}) == "kubectl/v1");
  CHECK(*event.find("objectRef") == Tree::object({{"resource", "deployments"},
                                                  {"namespace", "default"},
                                                  {"name", "web"},
                                                  {"apiGroup", "apps"},
                                                  {"apiVersion", "v1"},
                                                  {"subresource", "scale"}}));
  CHECK(event.integer_at({"responseStatus", "code"}) == 404);
  CHECK(event.text_at({"stageTimestamp"}).size() == std::string("2026-01-02T03:04:05.000006Z").size());
}

TEST_CASE("the audit log has the name of a created object, and the path of other requests") {
  AuditedTalk audited;
  const net::Headers json{{"Content-Type", "application/json"}};

  (void)audited.talk.send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"a"}})", json);
  auto created = audited.event();
  (void)audited.talk.send("GET", "/version");
  auto asked = audited.event();

  CHECK(created.text_at({"verb"}) == "create");
  CHECK(created.text_at({"objectRef", "name"}) == "a");
  CHECK(created.find("requestObject") == nullptr);
  CHECK(asked.text_at({"requestURI"}) == "/version");
  CHECK(asked.find("objectRef") == nullptr);
}

TEST_CASE("a watch is in the audit log when it starts, and the write of a Lease has its holder") {
  AuditedTalk audited;
  const net::Headers json{{"Content-Type", "application/json"}};

  (void)audited.talk.ask_http("GET", "/api/v1/pods?watch=true");
  auto watched = audited.event();
  (void)audited.talk.send("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases",
                          R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"me"}})", json);
  auto led = audited.event();

  CHECK(watched.text_at({"verb"}) == "watch");
  CHECK(watched.text_at({"stage"}) == "ResponseStarted");
  CHECK(led.text_at({"level"}) == "Request");
  CHECK(led.text_at({"requestObject", "spec", "holderIdentity"}) == "me");
}

}  // namespace
}  // namespace keelson::sandbox
