// Failures and delays that tests can inject into the server in this process.
#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using fixtures::watch_of;
using kube::Key;

const kube::Resource kMaps = kube::config_maps();

RequestPredicate of_verb(kube::Verb verb) {
  return [verb](const RequestInfo& request) { return request.verb == verb; };
}

TEST_CASE("a requested failure applies to the next matching request, which has no effect") {
  Talk talk;
  talk.server.fail_next(of_verb(kube::Verb::kCreate), transport_error("unexpected EOF"));

  CHECK_FALSE(talk.ask(kube::get(talk.client(), kMaps, Key("default", "a"))));
  auto failed = talk.create_map("a");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message() == "create configmaps in default: unexpected EOF");
  CHECK(talk.server.objects(kMaps).empty());
  CHECK(talk.create_map("a"));
}

TEST_CASE("forbidden requests are rejected with the API server's message until the handle is destroyed") {
  Talk talk;
  auto handle = talk.server.forbid([](const RequestInfo&) { return true; });

  CHECK(talk.ask(kube::get(talk.client(), kube::deployments(), Key("default", "a"))).error().server_text ==
        R"(deployments.apps "a" is forbidden: User "tester" cannot get resource "deployments" in API group "apps" in )"
        R"(the namespace "default")");
  auto rejected = talk.ask(kube::list(talk.client(), kube::pods(), {}));
  CHECK(rejected.error().server_text ==
        R"(pods is forbidden: User "tester" cannot list resource "pods" in API group "" at the cluster scope)");
  CHECK(kube::is_forbidden(rejected.error()));
  CHECK_FALSE(talk.ask(talk.client().stream(watch_of(kube::pods()))));

  handle.reset();
  CHECK(talk.ask(kube::list(talk.client(), kube::pods(), {})));
}

TEST_CASE("a write can be lost before or after its execution") {
  Talk talk;
  auto fate = WriteFate::kLost;
  int asked = 0;
  talk.server.before_write([&](const RequestInfo& request) {
    ++asked;
    CHECK(request.is_write());
    return fate;
  });

  auto lost = talk.create_map("a");
  CHECK(lost.error().kind == Error::Kind::kTransport);
  CHECK(talk.server.objects(kMaps).empty());
  fate = WriteFate::kReplyLost;
  CHECK_FALSE(talk.create_map("a"));
  CHECK(talk.server.objects(kMaps).size() == 1);
  fate = WriteFate::kProceeds;
  CHECK(kube::is_already_exists(talk.create_map("a").error()));
  CHECK(talk.ask(kube::get(talk.client(), kMaps, Key("default", "a"))));
  CHECK(asked == 3);
}

TEST_CASE("requests are logged with their user, kind and code") {
  Talk talk;
  REQUIRE(talk.create_map("a"));
  CHECK_FALSE(talk.ask(kube::get(talk.server.client("other"), kMaps, Key("default", "b"))));

  REQUIRE(talk.server.log().size() == 2);
  const auto& created = talk.server.log()[0];
  CHECK(created.user == "tester");
  CHECK(created.verb == kube::Verb::kCreate);
  CHECK(created.resource == kMaps);
  CHECK(created.code == 201);
  CHECK(talk.server.count([](const RequestInfo& r) { return r.user == "other" && r.code == 404; }) == 1);
  CHECK(talk.server.count([](const RequestInfo& r) { return r.is_write(); }) == 1);
  talk.server.clear_log();
  CHECK(talk.server.log().empty());
}

TEST_CASE("a request takes time, but at most the latency in each direction") {
  ApiServerOptions options;
  options.latency = std::chrono::milliseconds(10);
  Talk talk(options);
  auto began = talk.loop.clock().now();

  REQUIRE(talk.create_map("a"));

  CHECK(talk.loop.clock().now() > began);
  CHECK(talk.loop.clock().now() - began <= std::chrono::milliseconds(20));
}

TEST_CASE("a dropped watch ends with an error, and a new one resumes at its version") {
  Talk talk;
  auto created = talk.create_map("a");
  REQUIRE(created);
  auto version = std::to_string(created->resource_version());
  auto stream = talk.ask(talk.client().stream(watch_of(kMaps, {{"resourceVersion", version}})));
  REQUIRE(stream);

  talk.server.drop_watches();
  REQUIRE(talk.create_map("b"));

  CHECK(talk.read_ready(**stream) == "unexpected EOF");
  auto again = talk.ask(talk.client().stream(watch_of(kMaps, {{"resourceVersion", version}})));
  REQUIRE(again);
  CHECK(talk.read_ready(**again).starts_with(
      R"({"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b")"));
}

TEST_CASE("watches and lists from forgotten versions are rejected") {
  Talk talk;
  auto first = talk.create_map("a");
  REQUIRE(talk.create_map("b"));
  kube::ListOptions options{.ns = "default", .labels = {}, .fields = "", .limit = 1, .continue_token = ""};
  auto page = talk.ask(kube::list(talk.client(), kMaps, options));
  REQUIRE(page);
  options.continue_token = page->continue_token;

  talk.server.compact();

  auto rest = talk.ask(kube::list(talk.client(), kMaps, options));
  REQUIRE_FALSE(rest);
  CHECK(kube::is_gone(rest.error()));
  auto version = std::to_string(first->resource_version());
  auto stream = talk.ask(talk.client().stream(watch_of(kMaps, {{"resourceVersion", version}})));
  REQUIRE(stream);
  auto said = talk.read_ready(**stream);
  CHECK(said.starts_with(R"({"type":"ERROR","object":{"kind":"Status")"));
  CHECK(said.find("too old resource version: " + version) != std::string::npos);
}

TEST_CASE("only watches that request bookmarks get them, at the current version") {
  Talk talk;
  auto created = talk.create_map("a");
  std::vector<std::pair<std::string, std::string>> from{
      {"resourceVersion", std::to_string(created->resource_version())}};
  auto silent = talk.ask(talk.client().stream(watch_of(kMaps, from)));
  from.emplace_back("allowWatchBookmarks", "true");
  auto marked = talk.ask(talk.client().stream(watch_of(kMaps, from)));
  REQUIRE(silent);
  REQUIRE(marked);
  CHECK(talk.ask(kube::create(talk.client(), kube::secrets(), "default", R"({"metadata":{"name":"s"}})")));

  talk.pass(std::chrono::seconds(61));

  auto said = talk.read_ready(**marked);
  CHECK(said.find(R"("type":"BOOKMARK")") != std::string::npos);
  CHECK(said.find("\"resourceVersion\":\"" + std::to_string(talk.server.resource_version()) + "\"") !=
        std::string::npos);
  CHECK(talk.read_ready(**silent).find("no answer within") != std::string::npos);
}

TEST_CASE("a list from a future version is rejected") {
  Talk talk;
  kube::ApiRequest request;
  request.verb = kube::Verb::kList;
  request.resource = kMaps;
  request.query = {{"resourceVersion", "999999999"}};

  auto reply = talk.ask(talk.client().send(request));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().code == 504);
  CHECK(reply.error().status_body.find("ResourceVersionTooLarge") != std::string::npos);
}

TEST_CASE("the same seed gives the same uids, and another seed gives other uids") {
  auto uid_of = [](std::uint64_t seed) {
    Talk talk({}, seed);
    auto created = talk.create_map("a");
    return created ? std::string(created->uid()) : std::string();
  };

  CHECK(uid_of(3) == uid_of(3));
  CHECK(uid_of(3) != uid_of(4));
}

TEST_CASE("a restored backup has its objects at their old versions, and higher versions from then on") {
  Talk talk;
  auto kept = talk.create_map("kept");
  (void)talk.create_map("deleted");
  auto backup = talk.server.backup();
  auto version = talk.server.resource_version();
  auto watch = talk.ask(talk.client().stream(
      watch_of(kube::config_maps(), {{"resourceVersion", std::to_string(talk.server.resource_version())}})));
  (void)talk.ask(kube::remove(talk.client(), kube::config_maps(), kube::Key("default", "deleted"), {}));
  (void)talk.create_map("created");

  talk.server.restore(*backup, 1'000'000);
  auto listed = talk.ask(kube::list(talk.client(), kube::config_maps(), {}));
  auto resumed =
      talk.ask(talk.client().stream(watch_of(kube::config_maps(), {{"resourceVersion", std::to_string(version + 1)}})));

  REQUIRE(listed.has_value());
  REQUIRE(listed->items.size() == 2);
  CHECK(listed->items[1].key() == kept->key());
  CHECK(listed->items[1].resource_version() == kept->resource_version());
  CHECK(std::stoull(listed->resource_version) == version + 2 + 1'000'000);
  CHECK(talk.read_ready(**watch) == "unexpected EOF");
  CHECK(talk.read_ready(**resumed).find("too old resource version") != std::string::npos);
  CHECK(talk.create_map("next")->resource_version() > version + 1'000'000);
}

}  // namespace
}  // namespace keelson::sandbox
