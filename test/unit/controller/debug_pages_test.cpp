// /debug/objects and /debug/controllers of a runtime whose history was stored by an earlier process.
#include <catch2/catch_test_macros.hpp>
#include <chrono>

#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/controller/debug_controllers.hpp"
#include "keelson/detail/controller/debug_objects.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/controller/controller.hpp"
#include "src/controller/stored_reconcile.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::controller {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class IdleReconciler final : public Reconciler {
 public:
  Task<Outcome> reconcile(Attempt&) override { co_return Outcome::done(); }
};

// A stored reconcile of the controller `memcached`.
std::string reconciled(const std::string& name, async::WallTime began, ReconcileResult result,
                       const std::string& ns = "default") {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(began.time_since_epoch()).count();
  return R"({"c":"memcached","ns":")" + ns + R"(","n":")" + name + R"(","t":)" + std::to_string(seconds) + R"(,"r":)" +
         std::to_string(static_cast<int>(result)) +
         (is_failure(result) ? R"(,"e":"no quota for )" + name + "\"" : std::string()) + "}\n";
}

struct Process {
  explicit Process(const std::string& stored = "") {
    kube::Kind kind;
    kind.resource = testing::memcacheds();
    auto& definition = definitions.emplace_back(define(kind));
    definition.reconciled_by([](Context&) { return std::make_unique<IdleReconciler>(); });
    folder.write("reconciles", std::string(kStoredHistoryHeader) + "\n" + stored);
    runtime.emplace(RuntimeParts{.executor = loop.executor(),
                                 .clock = loop.clock(),
                                 .random = random,
                                 .log = Logger(lines),
                                 .registry = registry,
                                 .client = client,
                                 .environment = [](const char*) -> const char* { return nullptr; },
                                 .reconcile_history = limits::kReconcileHistory,
                                 .history_folder = folder.path().string()},
                    definitions);
  }

  [[nodiscard]] async::WallTime ago(std::chrono::seconds time) { return loop.clock().wall_now() - time; }
  net::Response objects(const std::string& query) {
    net::Request request;
    request.target = "/debug/objects" + query;
    return debug_objects(*runtime, request);
  }
  net::Response controllers(std::string method, const std::string& target, std::string body = "") {
    net::Request request;
    request.method = std::move(method);
    request.target = "/debug/controllers" + target;
    request.body = std::move(body);
    return debug_controllers(*runtime, request, "jane");
  }
  [[nodiscard]] std::string metric() {
    const auto text = registry.text();
    const std::string name = "keelson_kind_paused{controller=\"memcached\"} ";
    const auto at = text.find(name);
    return at == std::string::npos ? "none" : text.substr(at + name.size(), 1);
  }

  testing::TemporaryFolder folder;
  sandbox::loop::TestLoop loop;
  base::Random random{1};
  testing::FakeLog lines;
  testing::FakeClient client;
  metrics::Registry registry;
  std::vector<Definition> definitions;
  std::optional<ControllerRuntime> runtime;
};

std::size_t lines_of(const net::Response& page, const std::string& part) {
  std::size_t found = 0;
  for (auto at = page.body.find(part); at != std::string::npos; at = page.body.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("after the deletion of 1,000 objects the list has the living ones, and counts the others") {
  sandbox::loop::TestLoop clock;
  const auto now = clock.clock().wall_now();
  std::string stored;
  for (int i = 0; i < 1000; ++i) stored += reconciled("old-" + std::to_string(i), now, ReconcileResult::kGone);
  for (int i = 0; i < 5; ++i) stored += reconciled("web-" + std::to_string(i), now, ReconcileResult::kSuccess);
  Process process(stored);

  const auto page = process.objects("");
  INFO(page.body);
  CHECK(page.status == 200);
  CHECK(lines_of(page, "Memcached default/web-") == 5);
  CHECK(lines_of(page, "old-") == 0);
  CHECK(page.body.find("1005 of at most 10000 objects, ") != std::string::npos);
  CHECK(page.body.find("; 1000 are deleted: ?result=gone\n") != std::string::npos);

  const auto gone = process.objects("?result=gone");
  CHECK(lines_of(gone, "  gone  Memcached default/old-") == limits::kListedObjects);
  CHECK(gone.body.find("more: ?continue=") != std::string::npos);
}

TEST_CASE("the list is filtered by result, time and namespace, and shows errors") {
  using enum ReconcileResult;
  sandbox::loop::TestLoop clock;
  const auto at = [&](std::chrono::seconds ago) { return clock.clock().wall_now() - ago; };
  Process process(reconciled("a", at(1h), kError) + reconciled("b", at(1min), kPanic) +
                  reconciled("c", at(1min), kTerminal, "other") + reconciled("d", at(1min), kSuccess) +
                  reconciled("e", at(2h), kTimeout));
  const auto names = [&](const std::string& query) {
    const auto page = process.objects(query);
    INFO(page.body);
    CHECK(page.status == 200);
    std::string found;
    for (const auto* name : {"default/a", "default/b", "other/c", "default/d", "default/e"}) {
      if (page.body.find(std::string("Memcached ") + name) != std::string::npos) found += std::string(name).back();
    }
    return found;
  };

  CHECK(names("") == "abcde");
  CHECK(names("?result=error") == "abce");
  CHECK(names("?result=terminal") == "c");
  CHECK(names("?result=panic") == "b");
  CHECK(names("?result=success") == "d");
  CHECK(names("?result=superseded").empty());
  CHECK(names("?since=10m") == "bcd");
  CHECK(names("?since=90m&result=error") == "abc");
  CHECK(names("?result=error&since=10m&namespace=other") == "c");
  CHECK(names("?kind=memcached&since=" + base::format_rfc3339(std::chrono::floor<std::chrono::seconds>(at(61min)))) ==
        "abcd");
  CHECK(process.objects("?result=panic").body.find("  panic  Memcached default/b: no quota for b\n") !=
        std::string::npos);
}

TEST_CASE("a wrong parameter is a 400 that says what to use") {
  Process process;
  struct Row {
    const char* query;
    const char* error;
  };
  for (const auto& [query, error] :
       {Row{"?reslut=error", "400 unknown parameter \"reslut\": use kind, namespace, name, result, since, continue\n"},
        Row{"?result=bad",
            "400 result=\"bad\" is not a result: use one of error, success, requeue, terminal, panic, timeout, "
            "superseded, paused, gone\n"},
        Row{"?since=yesterday",
            "400 since=\"yesterday\" is neither a duration such as 10m or 1h30m, nor a time such as "
            "2026-01-02T15:04:05Z\n"},
        Row{"?since=-5m",
            "400 since=\"-5m\" is neither a duration such as 10m or 1h30m, nor a time such as 2026-01-02T15:04:05Z\n"},
        Row{"?continue=x", "400 `continue` is not one of this page\n"},
        Row{"?name=web", "400 give the kind, too: ?kind=KIND&namespace=NS&name=NAME\n"},
        Row{"?kind=a&kind=b", "400 the parameter kind is given twice\n"}}) {
    INFO(query);
    const auto page = process.objects(query);
    CHECK(page.status == 400);
    CHECK(page.body == error);
  }
}

// The controllers of these processes wait for the lease.
const std::string kStandbyLine =
    "this replica does not lead, and its pauses are not those of the leader: send the request to the holder of the "
    "Lease\n";

TEST_CASE("a standby whose controller is paused says that the leader is not, in its reply and in the list") {
  Process process;
  CHECK(process.controllers("GET", "").body.find("does not lead") == std::string::npos);

  const auto paused = process.controllers("PUT", "/memcached/pause", "reason=bad+rollout");

  CHECK(paused.status == 200);
  CHECK(paused.body.ends_with(": bad rollout\n" + kStandbyLine));
  CHECK(process.controllers("GET", "").body.find(
            ": bad rollout; this replica does not lead, and its pauses are not those of the leader; 0 keys ready, ") !=
        std::string::npos);
}

TEST_CASE("the replies of a leader do not mention other replicas") {
  Process process;
  process.loop.run([&]() -> asio::awaitable<void> {
    auto& controller = *process.runtime->controllers().front();
    (void)co_await controller.start();
    CHECK(process.controllers("PUT", "/memcached/pause", "reason=bad+rollout").body.ends_with(": bad rollout\n"));
    CHECK(process.controllers("GET", "").body.find("does not lead") == std::string::npos);
    CHECK(process.controllers("DELETE", "/memcached/pause").body == "memcached is resumed\n");
    controller.abort();
    co_await controller.stop();
  });
}

TEST_CASE("a controller is paused with a reason, shown, and resumed") {
  Process process;
  CHECK(process.metric() == "0");
  CHECK(process.controllers("GET", "").body.find("memcached: waiting for the lease; 0 keys ready, 0 in progress, "
                                                 "/debug/controllers/memcached/pause\n") == 0);

  const auto paused = process.controllers("PUT", "/memcached/pause", "reason=bad+rollout&for=2h");
  CHECK(paused.status == 200);
  CHECK(paused.body.find("memcached: paused since ") == 0);
  CHECK(paused.body.find(" by jane until ") != std::string::npos);
  CHECK(paused.body.find(": bad rollout\n") != std::string::npos);
  CHECK(process.controllers("GET", "/memcached/pause").body == paused.body);
  CHECK(process.metric() == "1");
  CHECK(process.runtime->status().front().pause->reason == "bad rollout");
  CHECK(process.runtime->controllers().front()->queue().is_paused());
  const auto* line = process.lines.find("Paused the controller: no reconcile begins until it is resumed");
  REQUIRE(line != nullptr);
  CHECK(line->fields.at("user") == R"("jane")");
  CHECK(line->fields.at("controller") == R"("memcached")");
  CHECK(line->fields.at("why") == R"("bad rollout")");
  const auto explained = process.objects("?kind=memcached&namespace=default&name=web").body;
  INFO(explained);
  // The first list is missing, which is the first answer; the controller's pause is among the facts.
  CHECK(explained.find("Not reconciled: ") != std::string::npos);

  CHECK(process.controllers("DELETE", "/memcached/pause").body == "memcached is resumed\n" + kStandbyLine);
  CHECK(process.controllers("DELETE", "/memcached/pause").body == "memcached was not paused\n" + kStandbyLine);
  CHECK(process.metric() == "0");
  CHECK_FALSE(process.runtime->controllers().front()->queue().is_paused());
  CHECK(process.lines.find("Resumed the controller")->fields.at("user") == R"("jane")");
}

TEST_CASE("a pause with a duration ends by itself, and a later one has the later end and the first beginning") {
  Process process;
  process.loop.run([&]() -> asio::awaitable<void> {
    process.controllers("PUT", "/memcached/pause", "reason=a&for=10m");
    const auto since = process.runtime->status().front().pause->since;
    co_await async::sleep_for(process.loop.clock(), 9min);
    process.controllers("PUT", "/memcached/pause?reason=b&for=10m");
    CHECK(process.runtime->status().front().pause->since == since);
    co_await async::sleep_for(process.loop.clock(), 9min);
    CHECK(process.metric() == "1");
    co_await async::sleep_for(process.loop.clock(), 2min);
    CHECK(process.metric() == "0");
    CHECK_FALSE(process.runtime->status().front().pause);
  });
}

TEST_CASE("a wrong request to pause changes nothing and says what to use") {
  Process process;
  struct Row {
    const char* method;
    const char* target;
    const char* body;
    int status;
    const char* text;
  };
  const std::string long_reason = "reason=" + std::string(201, 'x');
  for (const auto& [method, target, body, status, text] :
       {Row{"PUT", "/memcached/pause", "", 400,
            "400 give the reason, for those who find the controller paused: reason=bad+rollout&for=2h\n"},
        Row{"PUT", "/memcached/pause?reason=+", "", 400,
            "400 give the reason, for those who find the controller paused: reason=bad+rollout&for=2h\n"},
        Row{"PUT", "/memcached/pause", long_reason.c_str(), 400, "400 the reason is longer than 200 bytes\n"},
        Row{"PUT", "/memcached/pause", "reason=a&for=1w", 400,
            "400 for=\"1w\" is not a duration of at most 744h0m0s: use for example 90s, 30m or 2h\n"},
        Row{"PUT", "/memcached/pause", "reason=a&for=0s", 400,
            "400 for=\"0s\" is not a duration of at most 744h0m0s: use for example 90s, 30m or 2h\n"},
        Row{"PUT", "/memcached/pause", "reason=a&untli=2h", 400, "400 unknown parameter \"untli\": use reason, for\n"},
        Row{"POST", "/memcached/pause", "reason=a", 405, "405 use GET, PUT, DELETE\n"},
        Row{"PUT", "", "", 405, "405 use GET\n"},
        Row{"PUT", "/typo/pause", "reason=a", 404, "404 no such controller; /debug/controllers lists them\n"}}) {
    INFO(target << " " << body);
    const auto answer = process.controllers(method, target, body);
    CHECK(answer.status == status);
    CHECK(answer.body == text);
  }
  CHECK(process.metric() == "0");
}

TEST_CASE("a reason has one line, whatever a client sends") {
  Process process;
  const auto answer = process.controllers("PUT", "/memcached/pause", "reason=a%0Ab%1B[31m");
  CHECK(answer.status == 200);
  CHECK(answer.body.find(": a b [31m\n") != std::string::npos);
}

}  // namespace
}  // namespace keelson::controller
