// Incidents of docs/troubleshooting.md that `manager doctor` knows from the running manager: a simulated manager in the
// incident, its /statusz, and the report of doctor, which names the cause.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/leader/election.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/detail/zpages/status.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/support/text_parts.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using doctor::status_error;
using sandbox::RequestInfo;

constexpr const char* kSystem = "sea-system";
constexpr const char* kStatuszPath = "get /api/v1/namespaces/sea-system/pods/sea-1:8081/proxy/statusz";
constexpr const char* kLeasePath = "get /apis/coordination.k8s.io/v1/namespaces/sea-system/leases/sea-manager";
const auto kObjects = kube::resource_of<kinds::Memcached>();

// The pod of the manager; `status` is that of its container.
std::string pod(const std::string& status) {
  return R"({"metadata":{"name":"sea-1","namespace":"sea-system"},"spec":{"serviceAccountName":"sailor","containers":)"
         R"([{"name":"manager","image":"sea:1.0.0"}]},"status":{"phase":"Running","conditions":)"
         R"([{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"manager",)" +
         status + "}]}}";
}

// The installation that doctor examines; its Lease is in a simulated API server.
struct Installed : doctor::SeaWorld {
  explicit Installed(sandbox::ApiServerOptions options = {.has_controllers = false})
      : server(loop.clock(), random, std::move(options)) {
    server.serve(controller::kind_of<kinds::Memcached>());
    REQUIRE(server.add_object({"", "v1", "Namespace", "namespaces", false}, "",
                              R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"sea-system"}})"));
    report_container(R"("restartCount":0)");
  }
  void report_container(const std::string& status) {
    client.replies.at("list /api/v1/namespaces/sea-system/pods") = doctor::list_json(pod(status));
  }
  void pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }
  // The next requests of the manager fail, more than it sends in a test.
  void fail(const std::function<bool(const RequestInfo&)>& fits, const Error& error) {
    for (int i = 0; i < 2000; ++i) {
      server.fail_next([fits](const RequestInfo& r) { return r.user == "manager" && fits(r); }, error);
    }
  }
  // `statusz` is the reply of the pod.
  [[nodiscard]] doctor::Report examine_with(Result<std::string> statusz) {
    client.replies.insert_or_assign(kStatuszPath, std::move(statusz));
    const auto leases = server.objects(kube::leases());
    REQUIRE(leases.size() == 1);
    client.replies.at(kLeasePath) = std::string(leases.front().json());
    client.replies.at("list /apis/coordination.k8s.io/v1/leases") =
        doctor::list_json(std::string(leases.front().json()));
    const auto now = base::format_rfc3339(std::chrono::floor<std::chrono::seconds>(loop.clock().wall_now()));
    REQUIRE(now.starts_with("2026-01-01T"));
    client.date = "Thu, 01 Jan 2026 " + now.substr(11, 8) + " GMT";
    return examine();
  }

  base::Random random{1};
  sandbox::ApiServer server;
};

// A process of the manager in the pod, with its election and its controllers.
class Running {
 public:
  Running(Installed& world, const std::string& identity)
      : world_(world),
        runtime_({.executor = world.loop.executor(),
                  .clock = world.loop.clock(),
                  .random = world.random,
                  .log = Logger(sink_),
                  .registry = registry_,
                  .client = world.server.client("manager"),
                  .environment = [](const char*) -> const char* { return nullptr; },
                  .events = {"sea", "host"}},
                 definitions_),
        election_(world.loop.executor(), world.loop.clock(), world.random, Logger(sink_), registry_,
                  world.server.client("manager"), {.lease = kube::Key(kSystem, "sea-manager"), .identity = identity}) {
    world_.loop.run([this]() -> boost::asio::awaitable<void> {
      auto filled = co_await runtime_.cache().start();
      REQUIRE(filled);
      auto elected = co_await election_.elector().start();
      REQUIRE(elected);
    });
    world_.pass(5s);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    world_.loop.run([this]() -> boost::asio::awaitable<void> {
      const auto& services = runtime_.services();
      for (auto it = services.rbegin(); works_ && it != services.rend(); ++it) {
        it->runnable->abort();
        co_await it->runnable->stop();
      }
      co_await runtime_.cache().stop();
      co_await election_.elector().stop();
    });
  }

  void work() {
    works_ = true;
    world_.loop.run([this]() -> boost::asio::awaitable<void> {
      for (const auto& service : runtime_.services()) {
        auto started = co_await service.runnable->start();
        REQUIRE(started);
      }
    });
  }
  [[nodiscard]] leader::Elector::State state() const { return election_.elector().state(); }
  [[nodiscard]] zpages::Status status() {
    zpages::Status status;
    status.program = "sea";
    status.now = world_.loop.clock().wall_now();
    status.leader = election_.elector().status();
    for (auto& each : runtime_.status()) status.controllers.push_back({.status = std::move(each)});
    for (auto& each : runtime_.cache().status()) status.informers.push_back({.status = std::move(each)});
    status.unhealthy = runtime_.unhealthy();
    status.concurrency = runtime_.concurrency();
    return status;
  }
  [[nodiscard]] std::string statusz() { return zpages::status_json(status()); }

 private:
  Installed& world_;
  std::vector<controller::Definition> definitions_ = make_definitions();
  sandbox::loop::RecordingSink sink_;
  metrics::Registry registry_;
  controller::ControllerRuntime runtime_;
  leader::Election election_;
  bool works_ = false;

  static std::vector<controller::Definition> make_definitions() {
    std::vector<controller::Definition> all;
    all.push_back(kinds::memcached());
    return all;
  }
};

// The manager of the pod fails for so long that the leader exits, and its next process has tried to lead for a while.
std::unique_ptr<Running> restart_after_loss(Installed& world, std::unique_ptr<Running> leader) {
  world.pass(20s);
  CHECK(leader->state() == leader::Elector::State::kLost);
  leader.reset();
  auto next = std::make_unique<Running>(world, "sea-1_next");
  world.pass(40s);
  CHECK(next->state() == leader::Elector::State::kStandby);
  return next;
}

std::vector<std::string> sorted_ids(const doctor::Report& report) {
  auto ids = ids_of(report.findings);
  std::ranges::sort(ids);
  return ids;
}

const doctor::Finding& finding(const doctor::Report& report, std::string_view id) {
  const auto& all = report.findings.all();
  const auto found = std::ranges::find_if(all, [id](const auto& each) { return each.kind->id == id; });
  REQUIRE(found != all.end());
  return *found;
}

const doctor::Finding& about(const doctor::Report& report, std::string_view subject) {
  const auto& all = report.findings.all();
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return each.subject == subject; });
  REQUIRE(found != all.end());
  return *found;
}

std::string memcached(const std::string& name) {
  return R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":")" + name +
         R"("},"spec":{"size":1}})";
}

TEST_CASE("incident: doctor finds by the manager's error that etcd is full") {
  Installed world;
  auto manager = std::make_unique<Running>(world, "sea-1_first");
  REQUIRE(manager->state() == leader::Elector::State::kLeading);
  const auto healthy = world.examine_with(manager->statusz());
  INFO(report_text(healthy));
  REQUIRE(ids_of(healthy.findings).empty());

  // Reads work, and so do the access reviews of doctor, which are not stored.
  const std::string full = "etcdserver: mvcc: database space exceeded";
  world.fail([](const RequestInfo& r) { return r.is_write(); }, status_error(500, "", full));
  manager = restart_after_loss(world, std::move(manager));
  const auto report = world.examine_with(manager->statusz());

  INFO(report_text(report));
  REQUIRE(ids_of(report.findings) == std::vector<std::string>{"lease-expired"});
  const auto& expired = finding(report, "lease-expired");
  CHECK(contains(expired.detail, "; the manager reports: "));
  CHECK(contains(expired.detail, full));
  CHECK(contains(expired.cause(), "etcd is full"));
  CHECK(contains(expired.remedy(), "`etcdctl alarm disarm`"));
  CHECK(exit_code(report) == 2);
}

void check_rejected(const doctor::Report& report, const std::string& sent) {
  INFO(report_text(report));
  CHECK(sorted_ids(report) == std::vector<std::string>{"cache-stale", "lease-expired"});
  for (const char* id : {"cache-stale", "lease-expired"}) {
    CHECK(contains(finding(report, id).detail, "Unauthorized; sent: " + sent));
    CHECK(contains(finding(report, id).cause(), "the API server does not accept the credentials of the manager"));
    CHECK(contains(finding(report, id).remedy(), "`kubectl rollout restart deployment/DEPLOYMENT -n NAMESPACE`"));
  }
  // The credentials of the user that runs doctor are valid.
  CHECK_FALSE(report.findings.has("credentials-rejected"));
}

TEST_CASE("incident: doctor finds that the API server does not accept the manager's token or client certificate") {
  // The client adds what it has sent (kube/rest_client.cpp).
  for (const std::string sent : {"the token of file \"/t\", which expired at 2025-12-31T00:00:00Z",
                                 "the client certificate of file \"/c\", which expired at 2025-12-31T00:00:00Z"}) {
    Installed world;
    auto manager = std::make_unique<Running>(world, "sea-1_first");
    world.fail([](const RequestInfo&) { return true; },
               status_error(401, "Unauthorized", "Unauthorized; sent: " + sent));
    world.server.drop_watches();
    manager = restart_after_loss(world, std::move(manager));
    check_rejected(world.examine_with(manager->statusz()), sent);
  }
}

TEST_CASE("incident: doctor finds by a protected page that the API server does not accept the manager's credentials") {
  Installed world;
  auto manager = std::make_unique<Running>(world, "sea-1_first");
  world.fail([](const RequestInfo&) { return true; }, status_error(401, "Unauthorized", "Unauthorized"));
  manager = restart_after_loss(world, std::move(manager));

  // The reply of a protected page, for which the manager cannot authenticate doctor
  // (unit/access/visit_policy_test.cpp).
  const auto guarded = world.examine_with(status_error(
      500, "InternalError",
      R"(an error on the server ("Authentication failed: the API server answers this process with 401 Unauthorized\n"))"
      " has prevented the request from succeeding"));
  INFO(report_text(guarded));
  CHECK(sorted_ids(guarded) == std::vector<std::string>{"lease-expired", "manager-not-asked"});
  CHECK(contains(finding(guarded, "lease-expired").cause(), "does not accept the credentials of the manager"));
}

TEST_CASE("incident: doctor names the largest cache when big objects fill the memory of the manager") {
  Installed world;
  Running manager(world, "sea-1_first");
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    for (int i = 0; i < 40; ++i) {
      auto object = memcached("big-" + std::to_string(i));
      object.insert(object.find(R"("},"spec)") + 1, R"(,"annotations":{"note":")" + std::string(200'000, 'x') + "\"}");
      auto created = co_await kube::create(world.server.client("user"), kObjects, "default", object);
      REQUIRE(created);
    }
  });
  world.pass(5s);
  auto status = manager.status();
  std::uint64_t cached = 0;
  for (const auto& informer : status.informers) cached += informer.status.bytes;
  CHECK(cached > 40U * 200'000U);
  // The heap of the process has the caches, and it was killed before.
  status.resident_bytes = cached + (std::uint64_t{10} << 20);
  world.report_container(R"("restartCount":1,"lastState":{"terminated":{"reason":"OOMKilled","exitCode":137}})");

  for (const auto limit : {status.resident_bytes * 2, status.resident_bytes}) {
    status.memory_limit = limit;
    const auto report = world.examine_with(zpages::status_json(status));

    INFO(report_text(report));
    std::vector<std::string> expected{"pod-oom-killed"};
    if (limit == status.resident_bytes) expected.insert(expected.begin(), "manager-attention");
    REQUIRE(sorted_ids(report) == expected);
    if (expected.size() == 1) continue;
    CHECK(finding(report, "manager-attention").subject == "The memory is nearly full");
    CHECK(contains(finding(report, "manager-attention").detail,
                   "; the largest cache is that of memcacheds.memcached.cache.example.com: "));
  }
}

TEST_CASE("incident: doctor names the object that is created and deleted all the time") {
  Installed world({.latency = 5ms, .has_controllers = false});
  Running manager(world, "sea-1_first");
  manager.work();
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    const auto end = world.loop.clock().now() + 50s;
    while (world.loop.clock().now() < end) {
      auto created = co_await kube::create(world.server.client("user"), kObjects, "default", memcached("flip"));
      REQUIRE(created);
      auto removed = co_await kube::remove(world.server.client("user"), kObjects, {"default", "flip"}, {});
      REQUIRE(removed);
    }
  });
  const auto report = world.examine_with(manager.statusz());

  INFO(report_text(report));
  const auto& busy = about(report, "A key of memcached is reconciled again and again");
  CHECK(busy.kind->id == "manager-attention");
  CHECK(busy.detail.starts_with("default/flip: "));
  CHECK(contains(busy.detail, " times within a minute"));
}

TEST_CASE("incident: doctor reports that objects wait when more are created and deleted than are reconciled") {
  Installed world;
  Running manager(world, "sea-1_first");
  manager.work();
  // Its requests take a second on average.
  world.server.set_chaos({.most_latency = 2s});
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    for (int i = 0; i < 3000; ++i) {
      const auto name = "n" + std::to_string(i);
      const auto text = memcached(name);
      REQUIRE(world.server.add_object(kObjects, "default", text));
    }
    co_await async::sleep_for(world.loop.clock(), 3min);
  });
  const auto report = world.examine_with(manager.statusz());

  INFO(report_text(report));
  const auto& waiting = about(report, "Keys of memcached wait for a worker");
  CHECK(waiting.kind->id == "manager-attention");
  CHECK(waiting.detail.starts_with("default/n"));
  CHECK(contains(waiting.detail, " for 2 min "));
}

}  // namespace
}  // namespace keelson::testing
