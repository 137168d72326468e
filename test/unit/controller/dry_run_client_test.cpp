// The client of --dry-run: every write is a dry run, and what it would change is logged once and counted.
#include "src/controller/dry_run_client.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/kube/dry_run.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::testing {
namespace {

using controller::DryRunClient;

constexpr auto kWouldChange = "Dry run: the object would change";

std::string deployment(const std::string& version, const std::string& image, const std::string& more = "") {
  return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default",)"
         R"("resourceVersion":")" +
         version + R"("},"spec":{"image":")" + image + "\"" + more + "}}";
}

// A cached Deployment of version 7, and an API server that answers a write with `reply` and a list with `live`.
struct DryRunOnFakes {
  DryRunOnFakes() {
    cache.declare({.resource = kube::deployments()});
    informer().objects.emplace(kWeb, object(deployment("7", "old")));
    api.answer = [this](const kube::ApiRequest& request) -> Result<kube::ApiReply> {
      if (request.verb == kube::Verb::kList) return kube::ApiReply{200, R"({"items":[)" + live + "]}"};
      if (error) return *error;
      return kube::ApiReply{code, reply};
    };
  }
  FakeInformer& informer() { return cache.of(kube::deployments()); }

  Result<kube::ApiReply> send(kube::ApiRequest request) { return result_of(loop, client.send(request)); }
  Result<kube::ApiReply> patch(std::string answer, std::string subresource = "") {
    reply = std::move(answer);
    kube::ApiRequest request;
    request.verb = kube::Verb::kPatch;
    request.resource = kube::deployments();
    request.key = kWeb;
    request.subresource = std::move(subresource);
    request.body = "{}";
    return send(std::move(request));
  }
  Result<kube::ApiReply> write(kube::Verb verb, kube::Resource resource, kube::Key key) {
    kube::ApiRequest request;
    request.verb = verb;
    request.resource = std::move(resource);
    request.key = std::move(key);
    request.body = "{}";
    return send(std::move(request));
  }
  [[nodiscard]] std::vector<std::string> infos() const { return log.messages(0); }
  [[nodiscard]] std::string changes() const { return log.entries.back().fields.at("changes"); }
  [[nodiscard]] bool has_counted(const std::string& verb, const std::string& result, int count) {
    return registry.text().find(R"(keelson_dry_run_writes_total{group="apps",kind="Deployment",result=")" + result +
                                R"(",verb=")" + verb + "\"} " + std::to_string(count) + "\n") != std::string::npos;
  }

  const kube::Key kWeb{"default", "web"};
  sandbox::loop::TestLoop loop;
  FakeLog log;
  FakeCache cache;
  FakeClient api;
  metrics::Registry registry;
  std::string reply;
  std::string live;
  int code = 200;
  std::optional<Error> error;
  DryRunClient client{api, cache, Logger(log), registry};
};

TEST_CASE("a write that would change an object is sent as a dry run, logged with its fields, and counted") {
  DryRunOnFakes world;

  auto sent = world.patch(deployment("7", "new"));

  REQUIRE(sent);
  CHECK(sent->body == deployment("7", "new"));
  REQUIRE(world.api.requests.size() == 1);
  CHECK(kube::is_dry_run(world.api.requests[0]));
  REQUIRE(world.infos() == std::vector<std::string>{kWouldChange});
  const auto& fields = world.log.entries[0].fields;
  CHECK(fields.at("group") == R"("apps")");
  CHECK(fields.at("kind") == R"("Deployment")");
  CHECK(fields.at("namespace") == R"("default")");
  CHECK(fields.at("name") == R"("web")");
  CHECK(fields.at("verb") == R"("patch")");
  CHECK(world.changes() == R"(["~ spec.image: \"old\" -> \"new\""])");
  CHECK(world.has_counted("patch", "changed", 1));
  CHECK(world.client.tally().differences == 1);
}

TEST_CASE("a write that would change nothing is no difference and is logged at debug level") {
  DryRunOnFakes world;

  REQUIRE(world.patch(deployment("7", "old")));

  CHECK(world.infos().empty());
  CHECK(world.log.find("Dry run: the write would change nothing") != nullptr);
  CHECK(world.has_counted("patch", "unchanged", 1));
  CHECK(world.client.tally().differences == 0);
}

TEST_CASE("a difference is logged once, and again when it is another one") {
  DryRunOnFakes world;

  REQUIRE(world.patch(deployment("7", "new")));
  REQUIRE(world.patch(deployment("7", "new")));
  CHECK(world.infos().size() == 1);
  CHECK(world.client.tally().repeated == 1);
  CHECK(world.has_counted("patch", "repeated", 1));
  REQUIRE(world.patch(deployment("7", "newer")));
  REQUIRE(world.patch(deployment("7", "old", R"(,"replicas":2)")));
  REQUIRE(world.patch(deployment("7", "newer")));

  CHECK(world.infos().size() == 3);
  CHECK(world.client.tally().differences == 5);
  CHECK(world.client.tally().repeated == 2);
}

TEST_CASE("a difference beyond the logged part of a long value is another one") {
  DryRunOnFakes world;
  const auto patch = [&](const std::string& end) {
    return world.patch(deployment("7", "old", R"(,"long":")" + std::string(300, 'x') + end + "\""));
  };

  REQUIRE(patch("1"));
  REQUIRE(patch("2"));
  CHECK(world.client.tally().repeated == 0);
  REQUIRE(patch("2"));

  CHECK(world.infos().size() == 2);
  CHECK(world.client.tally().repeated == 1);
}

TEST_CASE("another value of a Secret is another difference, and no value is logged") {
  DryRunOnFakes world;
  const auto secret = [](const std::string& value) {
    return R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"web","namespace":"default","resourceVersion":"7"},)"
           R"("data":{"p":")" +
           value + "\"}}";
  };
  world.live = secret("b2xk");
  for (const auto* value : {"b25l", "dHdv", "dHdv"}) {
    world.reply = secret(value);
    REQUIRE(world.write(kube::Verb::kUpdate, kube::secrets(), world.kWeb));
  }

  CHECK(world.infos().size() == 2);
  CHECK(world.client.tally().repeated == 1);
  CHECK(world.changes() == R"(["~ data.p: \"*** (before)\" -> \"*** (after)\""])");
}

TEST_CASE("the current time in a field is no new difference") {
  DryRunOnFakes world;

  REQUIRE(world.patch(deployment("7", "old", R"(,"since":"2026-01-01T00:00:00Z")")));
  REQUIRE(world.patch(deployment("7", "old", R"(,"since":"2026-01-01T00:00:01.5Z")")));
  CHECK(world.client.tally().repeated == 1);
  REQUIRE(world.patch(deployment("7", "old", R"(,"since":"never")")));
  CHECK(world.client.tally().repeated == 1);

  CHECK(controller::without_times(R"(+ a: {"b":"2026-01-01T00:00:00Z","c":"2026-01-01"})") ==
        R"(+ a: {"b":"time","c":"2026-01-01"})");
  CHECK(controller::without_times(R"(~ "2026-01-01T00:00:00Z)") == R"(~ "time)");
  CHECK(controller::without_times("") == "");
}

TEST_CASE("the object is read if the cache has another version of it, only a part, or nothing") {
  DryRunOnFakes world;
  world.live = deployment("8", "older");
  SECTION("another version") { REQUIRE(world.patch(deployment("8", "new"))); }
  SECTION("only a part") {
    const auto image = json::Projection::of({{"spec", "image"}});
    auto part = kube::Object::from_json(deployment("8", "x"), &image);
    REQUIRE(part);
    world.informer().objects.insert_or_assign(world.kWeb, *part);
    REQUIRE(world.patch(deployment("8", "new")));
  }
  SECTION("nothing") {
    world.informer().objects.clear();
    REQUIRE(world.patch(deployment("8", "new")));
  }

  REQUIRE(world.api.requests.size() == 2);
  CHECK(world.api.requests[1].verb == kube::Verb::kList);
  CHECK(world.changes() == R"(["~ spec.image: \"older\" -> \"new\""])");
}

TEST_CASE("without the object before the write the difference is unknown, and is reported") {
  DryRunOnFakes world;
  world.informer().objects.clear();

  REQUIRE(world.patch(deployment("8", "new")));

  CHECK(world.infos() == std::vector<std::string>{kWouldChange});
  CHECK(world.log.entries.back().fields.count("changes") == 0);
}

TEST_CASE("the object before the write is unknown if it changed after the write") {
  DryRunOnFakes world;
  world.informer().objects.clear();
  world.live = deployment("9", "old", R"(,"paused":true)");

  REQUIRE(world.patch(deployment("8", "new")));

  CHECK(world.infos() == std::vector<std::string>{kWouldChange});
  CHECK(world.log.entries.back().fields.count("changes") == 0);
}

TEST_CASE("a cached object that lacks only what no cached object has is the object before the write") {
  DryRunOnFakes world;
  const auto stored = [](const std::string& image, const std::string& manager) {
    return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default",)"
           R"("resourceVersion":"7","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"},)"
           R"("managedFields":[{"manager":")" +
           manager + R"("}]},"spec":{"image":")" + image + "\"}}";
  };
  const auto everything = json::Projection::everything();
  std::string in_cache;
  REQUIRE(everything.apply(stored("old", "a"), in_cache));
  world.informer().objects.insert_or_assign(world.kWeb, *kube::Object::from_json(in_cache, &everything));

  REQUIRE(world.patch(stored("new", "b")));

  CHECK(world.api.requests.size() == 1);
  CHECK(world.changes() == R"(["~ spec.image: \"old\" -> \"new\""])");
}

TEST_CASE("creations and deletions have messages of their own") {
  DryRunOnFakes world;
  world.code = 201;
  REQUIRE(world.patch(deployment("1", "new")));
  world.code = 200;
  world.reply = R"({"kind":"Status","status":"Success"})";
  REQUIRE(world.write(kube::Verb::kDelete, kube::deployments(), world.kWeb));
  REQUIRE(world.write(kube::Verb::kDeleteCollection, kube::deployments(), kube::Key("default", "")));

  CHECK(world.infos() == std::vector<std::string>{"Dry run: the object would be created",
                                                  "Dry run: the object would be deleted",
                                                  "Dry run: the objects would be deleted"});
  for (const auto& request : world.api.requests) CHECK(kube::is_dry_run(request));
}

TEST_CASE("a new object is logged with the name in the reply, because a POST has none") {
  DryRunOnFakes world;
  world.code = 201;
  world.reply = deployment("", "new");

  REQUIRE(world.write(kube::Verb::kCreate, kube::deployments(), kube::Key("default", "")));

  CHECK(world.log.entries.back().fields.at("name") == R"("web")");
}

TEST_CASE("the reply of a subresource of another kind is reported without fields") {
  DryRunOnFakes world;

  REQUIRE(world.patch(R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web"}})", "scale"));

  REQUIRE(world.infos() == std::vector<std::string>{kWouldChange});
  CHECK(world.log.entries.back().fields.at("subresource") == R"("scale")");
}

TEST_CASE("a rejection is an error as always and counted, and a lost connection is not counted") {
  DryRunOnFakes world;
  world.error = status_error(422, "Invalid");
  auto rejected = world.patch("");
  world.error = transport_error("gone");
  auto lost = world.patch("");

  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().code == 422);
  CHECK_FALSE(lost);
  CHECK(world.has_counted("patch", "rejected", 1));
  CHECK(world.log.entries.empty());
}

TEST_CASE("a write that the API server would execute also in a dry run is not sent") {
  DryRunOnFakes world;
  kube::ApiRequest exec;
  exec.verb = kube::Verb::kCreate;
  exec.resource = kube::pods();
  exec.key = world.kWeb;
  exec.subresource = "exec";

  const auto sent = world.send(exec);
  std::optional<Error> streamed;
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    auto stream = co_await world.client.stream(exec);
    if (!stream) streamed = std::move(stream).error();
  });

  REQUIRE_FALSE(sent);
  CHECK(sent.error().kind == Error::Kind::kInvalid);
  CHECK(sent.error().text.starts_with("create pods/exec default/web: not sent"));
  REQUIRE(streamed);
  CHECK(streamed->text == sent.error().text);
  CHECK(world.api.requests.empty());
}

TEST_CASE("reads, reviews and dry runs of the author are passed on and not reported") {
  DryRunOnFakes world;
  world.code = 201;
  world.reply = R"({"kind":"SubjectAccessReview","status":{"allowed":true}})";
  const kube::Resource reviews("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews", false);
  REQUIRE(world.write(kube::Verb::kCreate, reviews, kube::Key()));
  CHECK(kube::is_dry_run(world.api.requests.back()));
  kube::ApiRequest own;
  own.verb = kube::Verb::kUpdate;
  own.resource = kube::deployments();
  own.key = world.kWeb;
  own.query = {{"dryRun", "All"}};
  REQUIRE(world.send(own));
  REQUIRE(world.write(kube::Verb::kGet, kube::deployments(), world.kWeb));
  CHECK(world.api.requests.back().query.empty());

  CHECK(world.log.entries.empty());
  CHECK(world.registry.text().find("keelson_dry_run_writes_total{") == std::string::npos);
}

TEST_CASE("a log line has a limited number of fields") {
  DryRunOnFakes world;
  std::string more;
  for (int i = 0; i < 40; ++i) more += ",\"f" + std::to_string(i) + "\":1";

  REQUIRE(world.patch(deployment("7", "old", more)));

  const auto logged = json::Document::parse(world.changes());
  REQUIRE(logged);
  CHECK(logged->root().size() == limits::kDryRunFields + 1);
  CHECK(logged->root().item(20).string() == "… and 20 more");
  const std::vector<std::string> wide(20, std::string(1000, 'y'));
  CHECK(controller::logged_fields(wide).ends_with(R"("… and 16 more"])"));
  CHECK(controller::logged_fields(wide).size() < limits::kDryRunFieldsBytes + 100);
}

TEST_CASE("a long value is cut, and not within a character") {
  DryRunOnFakes world;

  REQUIRE(world.patch(
      deployment("7", "old", R"(,"long":")" + std::string(254, 'x') + "ä" + std::string(9000, 'x') + "\"")));

  const auto logged = json::Document::parse(world.changes());
  REQUIRE(logged);
  CHECK(logged->root().item(0).string() == "+ spec.long: \"" + std::string(254, 'x') + "…");
}

TEST_CASE("the memory of differences is limited") {
  DryRunOnFakes world;
  for (std::size_t i = 0; i <= limits::kDryRunDifferences; ++i) {
    REQUIRE(world.write(kube::Verb::kDelete, kube::deployments(), kube::Key("default", "d" + std::to_string(i))));
  }

  REQUIRE(world.write(kube::Verb::kDelete, kube::deployments(), kube::Key("default", "d1")));
  CHECK(world.client.tally().repeated == 1);
  REQUIRE(world.write(kube::Verb::kDelete, kube::deployments(), kube::Key("default", "d0")));
  CHECK(world.client.tally().repeated == 1);
}

}  // namespace
}  // namespace keelson::testing
