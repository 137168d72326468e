#include "src/sandbox/http/http_front.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/net/broken_body.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using kube::Verb;

net::Request http(const std::string& method, const std::string& target, const std::string& content_type = "") {
  net::Request request;
  request.method = method;
  request.target = target;
  request.headers = {{"Authorization", "Bearer alice"}};
  if (!content_type.empty()) request.headers.emplace_back("Content-Type", content_type);
  return request;
}

TEST_CASE("a target contains a verb, a kind and an object") {
  struct Row {
    const char* method;
    const char* target;
    Verb verb;
    const char* group;
    const char* plural;
    const char* ns;
    const char* name;
    const char* subresource;
  };
  const Row rows[] = {
      {"GET", "/api/v1/pods", Verb::kList, "", "pods", "", "", ""},
      {"GET", "/api/v1/namespaces/x/pods", Verb::kList, "", "pods", "x", "", ""},
      {"GET", "/api/v1/namespaces/x/pods?watch=true&a=b", Verb::kWatch, "", "pods", "x", "", ""},
      {"GET", "/api/v1/namespaces/x/pods/p", Verb::kGet, "", "pods", "x", "p", ""},
      {"GET", "/api/v1/namespaces/x/pods/p/status", Verb::kGet, "", "pods", "x", "p", "status"},
      {"GET", "/api/v1/namespaces", Verb::kList, "", "namespaces", "", "", ""},
      {"GET", "/api/v1/namespaces/x", Verb::kGet, "", "namespaces", "", "x", ""},
      {"PUT", "/api/v1/namespaces/x/status", Verb::kUpdate, "", "namespaces", "", "x", "status"},
      {"POST", "/apis/apps/v1/namespaces/x/deployments", Verb::kCreate, "apps", "deployments", "x", "", ""},
      {"DELETE", "/apis/apps/v1/namespaces/x/deployments", Verb::kDeleteCollection, "apps", "deployments", "x", "", ""},
      {"DELETE", "/apis/g.io/v1/things/t%2Fu", Verb::kDelete, "g.io", "things", "", "t/u", ""},
  };

  for (const auto& row : rows) {
    INFO(row.method << " " << row.target);
    auto request = parse_request(http(row.method, row.target));
    REQUIRE(request);
    CHECK(request->verb == row.verb);
    CHECK(request->resource.group == row.group);
    CHECK(request->resource.version == "v1");
    CHECK(request->resource.plural == row.plural);
    CHECK(request->key == kube::Key(row.ns, row.name));
    CHECK(request->subresource == row.subresource);
  }
}

TEST_CASE("parameters are decoded") {
  auto request = parse_request(http("GET", "/api/v1/pods?labelSelector=a%3Db%2Cc+in+%28d%29&watch=0&empty="));

  REQUIRE(request);
  CHECK(request->verb == Verb::kList);
  std::vector<std::pair<std::string, std::string>> expected{
      {"labelSelector", "a=b,c in (d)"}, {"watch", "0"}, {"empty", ""}};
  CHECK(request->query == expected);
}

TEST_CASE("the content type of a patch determines its kind") {
  const std::string target = "/api/v1/namespaces/x/pods/p";

  CHECK(parse_request(http("PATCH", target, "application/merge-patch+json"))->patch_type == kube::PatchType::kMerge);
  CHECK(parse_request(http("PATCH", target, "application/json-patch+json"))->patch_type == kube::PatchType::kJson);
  CHECK(parse_request(http("PATCH", target, "application/apply-patch+yaml"))->patch_type == kube::PatchType::kApply);
  CHECK_FALSE(parse_request(http("PATCH", target, "text/plain")));
}

TEST_CASE("requests outside of the API are not served") {
  const std::pair<const char*, const char*> requests[] = {
      {"GET", "/"},
      {"GET", "/api"},
      {"GET", "/metrics"},
      {"POST", "/api/v1/pods/p"},
      {"PUT", "/api/v1/pods"},
      {"TRACE", "/api/v1/pods"},
      {"GET", "/api/v1/a/b/c/d/e"},
      {"GET", "/api/v1/pods/%zz"},
      {"GET", "/api/v1/pods?x=%f"},
      {"GET", "/api/v1/pods/%2"},
      {"GET", "/apis/apps"},
  };

  for (const auto& [method, target] : requests) {
    INFO(method << " " << target);
    CHECK_FALSE(parse_request(http(method, target)));
  }
}

struct Front : Talk {
  net::ServerReply ask_http(net::Request request) { return testing::result_of(loop, handler(std::move(request))); }
  net::Handler handler = server.handler();
};

TEST_CASE("responses have their code, and the token determines the user") {
  Front front;
  auto create = http("POST", "/api/v1/namespaces/default/configmaps");
  create.body = R"({"metadata":{"name":"a"}})";

  CHECK(front.ask_http(create).response.status == 201);
  auto missing = front.ask_http(http("GET", "/api/v1/namespaces/default/configmaps/b"));
  CHECK(missing.response.status == 404);
  CHECK(missing.response.body.find(R"("message":"configmaps \"b\" not found")") != std::string::npos);
  CHECK(front.ask_http(http("GET", "/nowhere")).response.status == 404);
  auto ready = front.ask_http(http("GET", "/readyz")).response;
  CHECK(ready.status == 200);
  CHECK(net::header(ready.headers, "Content-Type") == "text/plain; charset=utf-8");
  CHECK(front.server.log()[0].user == "alice");
  CHECK(front.server.log()[0].resource == kube::config_maps());
}

TEST_CASE("a requested rejection retains its Retry-After") {
  Front front;
  Error busy(Error::Kind::kStatus, "");
  busy.code = 429;
  busy.reason = "TooManyRequests";
  busy.retry_after = std::chrono::seconds(3);
  front.server.fail_next([](const RequestInfo&) { return true; }, busy);

  auto reply = front.ask_http(http("GET", "/api/v1/pods"));

  CHECK(reply.response.status == 429);
  CHECK(net::header(reply.response.headers, "Retry-After") == "3");
}

TEST_CASE("the events of a watch are written when they happen") {
  Front front;
  auto reply = front.ask_http(http("GET", "/api/v1/configmaps?watch=1&timeoutSeconds=5"));
  REQUIRE(reply.streaming);
  REQUIRE(front.create_map("a"));
  std::vector<std::string> pieces;

  front.loop.run([&]() -> boost::asio::awaitable<void> {
    for (;;) {
      auto piece = co_await reply.streaming->next();
      if (!piece) co_return;
      pieces.push_back(*piece);
    }
  });

  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].starts_with(R"({"type":"ADDED","object":)"));
  CHECK(pieces[0].ends_with("}\n"));
}

TEST_CASE("a dropped watch fails instead of ending") {
  Front front;
  auto reply = front.ask_http(http("GET", "/api/v1/configmaps?watch=1"));
  REQUIRE(reply.streaming);

  front.server.drop_watches();

  auto next = [&]() -> boost::asio::awaitable<void> { co_await reply.streaming->next(); };
  CHECK_THROWS_AS(front.loop.run(next), net::BrokenBody);
}

TEST_CASE("a watch continues after an event that cannot be rendered") {
  Front front;
  auto accept = http("GET", "/api/v1/configmaps?watch=1&timeoutSeconds=5");
  accept.headers.emplace_back("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
  auto reply = front.ask_http(accept);
  REQUIRE(reply.streaming);
  // The event is one level deeper than the object, so only the event of one of these objects is too deep.
  for (int depth = 115; depth < 130; ++depth) {
    auto deep = std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
    auto metadata = R"(,"annotations":{}},"deep":)" + deep + R"(,"x":{"y":"")";
    static_cast<void>(front.create_map("deep-" + std::to_string(depth), metadata));
    front.pass(std::chrono::milliseconds(10));
  }
  REQUIRE(front.create_map("last"));
  std::string all;

  front.loop.run([&]() -> boost::asio::awaitable<void> {
    for (;;) {
      auto piece = co_await reply.streaming->next();
      if (!piece) co_return;
      CHECK_FALSE(piece->empty());
      all += *piece;
    }
  });

  CHECK(all.find(R"("cells":["last")") != std::string::npos);
}

TEST_CASE("a timeoutSeconds beyond the range of the clocks is a long time") {
  Front front;
  auto reply = front.ask_http(http("GET", "/api/v1/configmaps?watch=1&timeoutSeconds=9223372036854775807"));
  REQUIRE(reply.streaming);
  front.pass(std::chrono::hours(1));
  REQUIRE(front.create_map("a"));

  std::optional<std::string> piece;
  front.loop.run([&]() -> boost::asio::awaitable<void> { piece = co_await reply.streaming->next(); });

  CHECK(piece);
}

TEST_CASE("kinds are discovered by group and version") {
  Front front;

  auto apps = front.ask_http(http("GET", "/apis/apps/v1"));
  CHECK(apps.response.status == 200);
  CHECK(apps.response.body.find(R"("name":"deployments/scale")") != std::string::npos);
  CHECK(front.ask_http(http("GET", "/apis/nothing/v1")).response.status == 404);
}

}  // namespace
}  // namespace keelson::sandbox
