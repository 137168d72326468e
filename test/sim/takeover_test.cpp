// A standby with stale caches acquires the lease: it does not repeat the writes of the former leader.
#include <catch2/catch_test_macros.hpp>

#include "src/kinds/bluegreen/bluegreen.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "src/sandbox/simulation/manager_life.hpp"
#include "test/sim/bluegreen_world.hpp"
#include "test/sim/cronjob_world.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::RequestInfo;

// While this is held, events of all watches, or of those of a kind, are delayed; other replies pass.
class LaggingClient final : public kube::Client {
 public:
  explicit LaggingClient(kube::Client& inner) : inner_(inner) {}

  Task<kube::ApiReply> send(kube::ApiRequest request) override { return inner_.send(std::move(request)); }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    auto resource = request.resource;
    auto opened = co_await inner_.stream(std::move(request));
    if (!opened) co_return opened;
    co_return std::make_unique<Late>(*this, std::move(resource), std::move(*opened));
  }

  void hold(std::optional<kube::Resource> which = {}) {
    is_held_ = true;
    which_ = std::move(which);
  }
  void let_go() {
    is_held_ = false;
    let_go_.notify_all();
  }

 private:
  class Late final : public net::Stream {
   public:
    Late(LaggingClient& client, kube::Resource resource, std::unique_ptr<net::Stream> inner)
        : client_(client), resource_(std::move(resource)), inner_(std::move(inner)) {}
    int status() const override { return inner_->status(); }
    const net::Headers& headers() const override { return inner_->headers(); }
    Task<std::size_t> read_some(std::span<char> buffer) override {
      auto read = co_await inner_->read_some(buffer);
      while (client_.holds(resource_)) co_await client_.let_go_.wait();
      co_return read;
    }
    void stop_reading() override { inner_->stop_reading(); }

   private:
    LaggingClient& client_;
    kube::Resource resource_;
    std::unique_ptr<net::Stream> inner_;
  };

  bool holds(const kube::Resource& resource) const { return is_held_ && (!which_ || *which_ == resource); }

  kube::Client& inner_;
  bool is_held_ = false;
  std::optional<kube::Resource> which_;
  async::Notify let_go_;
};

// A second manager: its caches fill from the beginning, and its controller starts when it leads.
struct Standby {
  explicit Standby(ClusterWithUser& w, controller::Definition d = kinds::cronjob())
      : world(w),
        definitions{std::move(d)},
        api(w.server.client("standby")),
        life({w.loop.executor(), w.loop.clock(), w.random, w.sink, api, definitions, webhooks}, "standby", no_variable,
             {}) {
    start(life.fill_caches());
  }
  ~Standby() {
    api.let_go();
    world.loop.run(life.crash());
  }
  void lead() { start(life.work()); }
  void start(Task<void> part) { REQUIRE(result_of(world.loop, std::move(part))); }
  static const char* no_variable(const char*) { return nullptr; }

  ClusterWithUser& world;
  std::vector<controller::Definition> definitions;
  std::vector<webhook::Webhook> webhooks;
  LaggingClient api;
  sandbox::ManagerLife life;
};

std::size_t lists(const ClusterWithUser& world, const std::string& user) {
  return world.server.count(
      [&](const RequestInfo& request) { return request.verb == kube::Verb::kList && request.user == user; });
}

// The writes of the standby.
std::size_t changes(const ClusterWithUser& world, const kube::Resource& resource) {
  return world.server.count([&](const RequestInfo& request) {
    return request.is_write() && request.user == "standby" && request.resource == resource && request.code == 200;
  });
}

}  // namespace

TEST_CASE("a new leader whose cache lacks an active Job does not start another one under Forbid") {
  CronJobWorld world(1, jobs_last(10min));
  world.start_manager();
  world.create_cronjob("web", R"("schedule":"*/1 * * * *","concurrencyPolicy":"Forbid")");
  Standby standby(world);
  world.pass(30s);
  standby.api.hold();
  world.pass(40s);
  REQUIRE(world.server.objects(kube::jobs()).size() == 1);

  world.crash_manager();
  world.pass(55s);  // the next slot comes while no replica leads
  standby.lead();
  world.pass(10s);

  CHECK(world.server.objects(kube::jobs()).size() == 1);
  CHECK(lists(world, "standby") > 0);
}

TEST_CASE("a new leader whose cache lacks the status and a deleted Job does not run the slot of that Job again") {
  CronJobWorld world(1, jobs_last(5s));
  world.start_manager();
  world.create_cronjob("web", R"("schedule":"*/1 * * * *","successfulJobsHistoryLimit":0)");
  Standby standby(world);
  world.pass(30s);
  standby.api.hold();
  world.pass(45s);
  REQUIRE(world.server.objects(kube::jobs()).empty());

  world.crash_manager();
  standby.lead();
  world.pass(10s);

  CHECK(world.server.objects(kube::jobs()).empty());
  CHECK(world.server.count([](const RequestInfo& request) {
    return request.resource == kube::jobs() && request.user == "standby" && request.code == 201;
  }) == 0);
  CHECK(lists(world, "standby") > 0);
}

TEST_CASE("a new leader that is late for a slot that ran does not report a missed slot") {
  CronJobWorld world(1, jobs_last(5s));
  world.start_manager();
  world.create_cronjob("web", R"("schedule":"*/1 * * * *","startingDeadlineSeconds":10)");
  Standby standby(world);
  world.pass(30s);
  standby.api.hold();
  world.pass(50s);
  REQUIRE(world.server.objects(kube::jobs()).size() == 1);

  world.crash_manager();
  standby.lead();
  world.pass(5s);

  CHECK(world.get(kube::resource_of<kinds::CronJob>(), {"default", "web"})
            .root()
            .at({"status", "lastScheduleTime"})
            .text() == R"("2026-01-01T00:01:00Z")");
  for (const auto& event : world.server.objects(kube::events())) {
    CHECK(event.json().find("MissSchedule") == std::string_view::npos);
  }
}

TEST_CASE("once the watches have passed the version of a consistent read, no read follows") {
  CronJobWorld world(1, jobs_last(5s));
  Standby standby(world);
  standby.lead();
  world.create_cronjob("web", R"("schedule":"*/1 * * * *")");

  world.pass(70s);
  const auto asked = lists(world, "standby");
  world.pass(10min);

  CHECK(lists(world, "standby") == asked);
  CHECK(world.server.count(
            [](const RequestInfo& request) { return request.resource == kube::jobs() && request.code == 201; }) == 11);
}

TEST_CASE("a new leader whose cache lacks a new image does not restore the old one") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  Standby standby(world, kinds::bluegreen());
  world.pass(10s);
  standby.api.hold(kube::resource_of<kinds::BlueGreen>());
  world.patch(kube::resource_of<kinds::BlueGreen>(), kDemo, R"({"spec":{"blueSpec":)" + pods("blue", "app:2") + "}}");
  REQUIRE(world.eventually([&] { return world.image_of(kBlueDeployment) == "app:2" && !world.is_progressing(); }));

  world.crash_manager();
  standby.lead();
  world.pass(1min);

  CHECK(world.image_of(kBlueDeployment) == "app:2");
  CHECK(changes(world, kube::deployments()) == 0);
  CHECK(lists(world, "standby") > 0);
}

TEST_CASE("a new leader whose cache lacks a new size does not restore the old one") {
  const kube::Key web("default", "web");
  ClusterWithUser world(1, kinds::memcached());
  world.start_manager();
  world.create(kube::resource_of<kinds::Memcached>(), "default",
               R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"web"},)"
               R"("spec":{"size":1}})");
  auto replicas = [&] { return world.get(kube::deployments(), web).root().at({"spec", "replicas"}).integer(); };
  REQUIRE(world.eventually([&] { return replicas() == 1; }));
  Standby standby(world, kinds::memcached());
  world.pass(10s);
  standby.api.hold(kube::resource_of<kinds::Memcached>());
  world.patch(kube::resource_of<kinds::Memcached>(), web, R"({"spec":{"size":3}})");
  REQUIRE(world.eventually([&] { return replicas() == 3; }));

  world.crash_manager();
  standby.lead();
  world.pass(1min);

  CHECK(replicas() == 3);
  CHECK(changes(world, kube::deployments()) == 0);
  CHECK(lists(world, "standby") > 0);
}

}  // namespace keelson::testing
