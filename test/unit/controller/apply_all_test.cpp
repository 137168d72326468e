// Children that are applied at the same time.
#include <algorithm>
#include <chrono>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/controller/controller_for.hpp"
#include "test/support/toy_kinds.hpp"
#include "test/unit/controller/reconciler_world.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;
using core::v1::ConfigMap;
using core::v1::Service;

struct SiteSpec {
  std::string second = "b";
};
void describe(kube::Description& d, SiteSpec& spec) { d.field("second", spec.second, "Name of the second ConfigMap."); }

struct Site : CustomResource<SiteSpec, ConditionsStatus> {
  static constexpr kube::Identity kIdentity{"web.example.com", "v1", "Site"};
};

// What the function saw.
std::optional<std::tuple<Result<ConfigMap>, Result<ConfigMap>, Result<Service>>> seen;

ConfigMap config_map(std::string name) { return {.metadata = {.name = std::move(name)}, .data = {{"text", "hello"}}}; }

Reconciled build(const Site& site, Pass<Site>& pass) {
  seen = co_await pass.apply_all(config_map("a"), config_map(site.spec.second),
                                 Service{.metadata = {.name = "site"}, .spec = {.selector = {{"app", "site"}}}});
  const auto& [first, second, service] = *seen;
  KEELSON_CO_TRY(first);
  KEELSON_CO_TRY(second);
  KEELSON_CO_TRY(service);
  pass.ready("Built", "All children are there.");
  co_return done();
}

struct ReconciledSite : ReconcilerWorld {
  explicit ReconciledSite(const std::string& second = "b")
      : ReconcilerWorld(controller_for<Site>(build).owns<ConfigMap>().owns<Service>()) {
    know(kube::resource_of<Site>(), site(1, second));
    client.before_answer = [this](const kube::ApiRequest& request) -> boost::asio::awaitable<void> {
      most_open = std::max(most_open, ++open);
      const auto found = delays.find(request.key.name);
      co_await async::sleep_for(loop.clock(), found == delays.end() ? 10ms : found->second);
      --open;
    };
    const auto stored = client.answer;
    client.answer = [this, stored](const kube::ApiRequest& request) {
      const auto found = rejections.find(request.key.name);
      if (found == rejections.end()) return stored(request);
      Error error(Error::Kind::kStatus, found->second);
      error.code = 403;
      error.reason = "Forbidden";
      return Result<kube::ApiReply>(error);
    };
  }

  static std::string site(int generation, const std::string& second = "b") {
    return R"({"apiVersion":"web.example.com/v1","kind":"Site","metadata":{"name":"mine","namespace":"default",)"
           R"("uid":"u","resourceVersion":"7","generation":)" +
           std::to_string(generation) + R"(},"spec":{"second":")" + second + R"("}})";
  }

  Result<controller::Outcome> pass() { return reconcile(kube::Key("default", "mine")); }
  std::vector<std::string> written() const {
    std::vector<std::string> names;
    for (const auto& request : client.requests) {
      if (request.verb == kube::Verb::kPatch && request.subresource.empty()) names.push_back(request.key.name);
    }
    return names;
  }
  std::string status() const {
    for (const auto& request : client.requests) {
      if (request.subresource == "status") return request.body;
    }
    return "";
  }

  std::map<std::string, async::Duration> delays;  // of replies, by the name of the object
  std::map<std::string, std::string> rejections;  // of writes
  int open = 0;
  int most_open = 0;
};
using Names = std::vector<std::string>;

std::string stored_config_map(const std::string& name, const std::string& text) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
         R"(","namespace":"default","uid":"c-)" + name +
         R"(","resourceVersion":"9","ownerReferences":[{"apiVersion":"web.example.com/v1","kind":"Site",)"
         R"("name":"mine","uid":"u","controller":true}]},"data":{"text":")" +
         text + R"("}})";
}

}  // namespace

TEST_CASE("children that do not exist are created at the same time, in the order of the arguments") {
  ReconciledSite world;

  const auto begun = world.loop.clock().now();
  REQUIRE(world.pass());

  CHECK(world.written() == Names{"a", "b", "site"});
  CHECK(world.most_open == 3);
  CHECK(world.loop.clock().now() - begun == 20ms);  // and the status
  const auto& [first, second, service] = *seen;
  CHECK(first->metadata.name == "a");
  CHECK(second->metadata.ns == "default");
  CHECK(service->spec.selector.at("app") == "site");
}

TEST_CASE("children that exist are updated before the others are created") {
  ReconciledSite world;
  world.know(kube::resource_of<ConfigMap>(), stored_config_map("b", "old"));

  REQUIRE(world.pass());

  CHECK(world.written() == Names{"b", "a", "site"});
  CHECK(world.most_open == 2);
}

TEST_CASE("the error of a child does not prevent the others, and each has its own result") {
  ReconciledSite world;
  world.rejections = {{"a", "no a"}};

  CHECK_FALSE(world.pass());

  CHECK(world.written() == Names{"a", "b", "site"});
  CHECK_FALSE(std::get<0>(*seen));
  CHECK(std::get<1>(*seen));
  CHECK(std::get<2>(*seen));
}

TEST_CASE("the problem of the first child is reported, whichever reply comes first") {
  for (const bool is_first_slow : {false, true}) {
    ReconciledSite world;
    world.rejections = {{"a", "no a"}, {"site", "no site"}};
    world.delays = {{is_first_slow ? "a" : "site", 500ms}};

    CHECK_FALSE(world.pass());

    CHECK(world.status().find("no a") != std::string::npos);
    CHECK(world.status().find("no site") == std::string::npos);
  }
}

TEST_CASE("a child that is applied twice in one call is an error") {
  ReconciledSite world("a");

  CHECK_FALSE(world.pass());

  CHECK(world.written() == Names{"a", "site"});
  CHECK(std::get<0>(*seen));
  REQUIRE_FALSE(std::get<1>(*seen));
  CHECK(std::get<1>(*seen).error().message() == "apply_all: ConfigMap default/a is applied twice");
}

TEST_CASE("a spec that changes during an update supersedes the creations") {
  ReconciledSite world;
  world.know(kube::resource_of<ConfigMap>(), stored_config_map("a", "old"));
  const auto slow = world.client.before_answer;
  world.client.before_answer = [&world, slow](const kube::ApiRequest& request) -> boost::asio::awaitable<void> {
    world.cache.of(kube::resource_of<Site>())
        .objects.insert_or_assign({"default", "mine"}, object(ReconciledSite::site(2)));
    co_await slow(request);
  };

  const auto ended = world.pass();

  REQUIRE(ended);
  CHECK(ended->after() == async::Duration::zero());
  CHECK(world.written() == Names{"a"});
}

TEST_CASE("a child whose name becomes free during the update of an earlier one is created") {
  ReconciledSite world;
  const auto maps = kube::resource_of<ConfigMap>();
  world.know(maps, stored_config_map("a", "old"));
  world.know(maps, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","namespace":"default","uid":"x"}})");
  const auto slow = world.client.before_answer;
  world.client.before_answer = [&](const kube::ApiRequest& request) -> boost::asio::awaitable<void> {
    if (request.key.name == "a") world.cache.of(maps).objects.erase({"default", "b"});
    co_await slow(request);
  };

  CHECK(world.pass());

  CHECK(world.written() == Names{"a", "b", "site"});
  CHECK(std::get<1>(*seen));
}

TEST_CASE("children that have their desired state need no request") {
  ReconciledSite world;
  REQUIRE(world.pass());
  for (const auto& request : world.client.requests) {
    if (request.verb != kube::Verb::kPatch || !request.subresource.empty()) continue;
    auto text = request.body;
    text.insert(text.find(R"("name":)"), R"("uid":"c","resourceVersion":"9",)");
    world.know(request.resource, text);
  }
  world.client.requests.clear();

  REQUIRE(world.pass());

  CHECK(world.written().empty());
}
