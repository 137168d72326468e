#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/zpages/status.hpp"
#include "keelson/json/value.hpp"
#include "test/support/text_parts.hpp"

namespace keelson::zpages {
namespace {

using namespace std::chrono_literals;
using State = leader::Elector::State;
using testing::contains;

Status healthy() {
  Status status;
  status.program = "manager";
  status.version = "0.1.0";
  status.commit = "abc1234";
  status.build = {"compiler clang 16", "OpenSSL 3.0.20"};
  status.paths = {"/statusz", "/flagz"};
  status.now = async::WallTime(1764100000s);
  status.uptime = 2h + 3min;
  status.loop_lag = 2ms;
  status.resident_bytes = std::uint64_t{12} << 20;
  status.memory_limit = std::uint64_t{128} << 20;
  status.leader = leader::ElectorStatus{.state = State::kLeading,
                                        .in_state = 2h,
                                        .identity = "host_1",
                                        .lease = "system/keelson-manager",
                                        .observed = leader::Record{"host_1", 15, "2026-11-25T20:00:00Z", "", 3},
                                        .unchanged = 1s};
  ControllerFigures controller;
  controller.status = {.name = "memcached", .is_running = true, .workers = 1};
  controller.successes = 90;
  controller.errors = 10;
  controller.durations = {{0.01, 50}, {0.1, 100}};
  status.controllers = {controller};
  InformerFigures informer;
  informer.status = {.resource = "deployments.apps", .group = "apps", .kind = "Deployment", .objects = 1000};
  informer.status.bytes = 1 << 20;
  informer.status.age = 30s;
  informer.status.version = 4711;
  informer.status.has_synced = true;
  status.informers = {informer};
  status.serves_webhooks = true;
  status.certificate_expires = status.now + std::chrono::hours(24 * 300);
  status.webhooks = {{"/mutate-a", {{"200", 5}, {"400", 1}}}};
  status.api_server = "https://127.0.0.1:6443";
  status.requests = {{"GET 200", 12}};
  return status;
}

TEST_CASE("the page of a healthy leader shows its numbers and that nothing needs attention") {
  const auto text = plain_text_of(status_page(healthy()));

  for (const auto* part : {"State: leader\n",
                           "Version: 0.1.0 (abc1234)\n",
                           "Up: 2 h 3 min\n",
                           "Started: 2025-11-25T17:43:40Z\n",
                           "Paths: /statusz /flagz\n",
                           "Loop lag: 2 ms",
                           "Memory: 12 MiB (the last 10 minutes: at most 12 MiB of 128 MiB)",
                           "Nothing needs attention.",
                           "  memcached  ",
                           "  deployments.apps",
                           "  1000  ",
                           "  4711  ",
                           "  synced",
                           "Identity: host_1\n",
                           "Lease: system/keelson-manager\n",
                           "Holder: host_1\n",
                           "Transitions: 3\n",
                           "  /mutate-a  200: 5, 400: 1\n",
                           "  GET 200 ",
                           "compiler: clang 16\n",
                           "OpenSSL: 3.0.20\n"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
}

TEST_CASE("objects with a condition that needs attention are listed, as links to their last reconciles") {
  auto status = healthy();
  status.unhealthy = {
      {"Memcached",
       3,
       {{"default/web", "CrashLoopBackOff: Pod web-x on node n1: exit code 1."}},
       "Degraded",
       "memcacheds.cache.example.com"},
      {"Memcached", 2, {{"default/db", "Paused: Remove it."}}, "Paused", "memcacheds.cache.example.com"}};

  const auto text = plain_text_of(status_page(status));

  CHECK(contains(text, "Memcached default/web"));
  CHECK(contains(text, "Degraded: CrashLoopBackOff: Pod web-x on node n1: exit code 1."));
  CHECK(contains(text, "Other objects of kind Memcached"));
  CHECK(contains(text, "2 more have the condition Degraded"));
  CHECK(contains(text, "Paused: Paused: Remove it."));
  CHECK(contains(text, "1 more has the condition Paused"));
  CHECK_FALSE(contains(text, "Nothing needs attention."));
  CHECK(contains(html_of(status_page(status)),
                 "<a href=\"/debug/objects?kind=memcacheds.cache.example.com&amp;namespace=default&amp;name=web\">"
                 "Memcached default/web</a>"));
  const auto json = json::Document::parse(status_json(status));
  const auto kind = json->root().find("unhealthyKinds").item(0);
  CHECK(kind.find("count").integer() == 3);
  CHECK(kind.find("condition").string() == "Degraded");
  CHECK(kind.find("objects").item(0).find("key").string() == "default/web");
  const auto attention = json->root().find("attention");
  REQUIRE(attention.size() == 4);
  CHECK(attention.item(0).find("what").string() == "Memcached default/web");
  CHECK(attention.item(0).find("details").string() == "Degraded: CrashLoopBackOff: Pod web-x on node n1: exit code 1.");
}

TEST_CASE("the rows of Attention about objects have kind, resource, condition and key in JSON, and others have not") {
  auto status = healthy();
  status.unhealthy = {{"Memcached", 3, {{"default/web", "NodeLost: x"}}, "Degraded", "memcacheds.cache.example.com"}};
  status.is_dry_run = true;

  const auto json = json::Document::parse(status_json(status));
  const auto attention = json->root().find("attention");
  REQUIRE(attention.size() == 3);
  CHECK(attention.item(0).text() ==
        R"({"what":"Memcached default/web","details":"Degraded: NodeLost: x","kind":"Memcached",)"
        R"("resource":"memcacheds.cache.example.com","condition":"Degraded","key":"default/web"})");
  CHECK(attention.item(1).find("kind").string() == "Memcached");
  CHECK(attention.item(1).find("key").is_absent());
  CHECK(attention.item(2).text() == R"({"what":"Dry run","details":"writes are not stored"})");
}

TEST_CASE("a certificate of an hour that is renewed in time needs no attention") {
  auto status = healthy();
  status.certificates = {{"client", status.now + 40min, false}};

  CHECK(contains(plain_text_of(status_page(status)), "Nothing needs attention."));
  const auto json = json::Document::parse(status_json(status));
  CHECK(json->root().find("certificates").item(0).find("use").string() == "client");
  CHECK(json->root().find("certificates").item(0).find("endsSoon").boolean() == false);
}

TEST_CASE("a paused controller needs attention, and its keys that wait do not") {
  auto status = healthy();
  auto& controller = status.controllers[0].status;
  controller.queue.ready = 1;
  controller.queue.oldest = {"default/a", 10min};
  controller.pause = controller::ControllerPause{"bad rollout", "jane", status.now - 1h, status.now + 1h};

  const auto text = plain_text_of(status_page(status));

  CHECK(contains(text,
                 "Controller memcached is paused  since 2025-11-25T18:46:40Z by jane until 2025-11-25T20:46:40Z: bad "
                 "rollout (1 key ready)"));
  CHECK(contains(text, "  memcached (paused)  "));
  CHECK_FALSE(contains(text, "wait for a worker"));
  const auto json = json::Document::parse(status_json(status));
  const auto pause = json->root().find("controllers").item(0).find("pause");
  CHECK(pause.find("reason").string() == "bad rollout");
  CHECK(pause.find("user").string() == "jane");
  CHECK(pause.find("until").string() == "2025-11-25T20:46:40Z");
}

TEST_CASE("the keys of all tables are links to their objects") {
  auto status = healthy();
  auto& controller = status.controllers[0].status;
  controller.resource = "memcacheds.cache.example.com";
  controller.failing = {{"default/f", "no quota", 1, 1s}};
  controller.slowest = {{"default/s", 1s, 1s}};
  controller.queue.next = {"n", 5s};

  const auto html = html_of(status_page(status));

  const std::string path = "<a href=\"/debug/objects?kind=memcacheds.cache.example.com&amp;namespace=";
  CHECK(contains(html, path + "default&amp;name=f\">default/f</a>"));
  CHECK(contains(html, path + "default&amp;name=s\">default/s</a>"));
  CHECK(contains(html, path + "&amp;name=n\">n</a>"));
}

TEST_CASE("each problem is listed under Attention") {
  struct Case {
    std::string name;
    void (*break_it)(Status&);
    std::string line;
  };
  const std::vector<Case> cases{
      {"watch",
       [](Status& s) {
         s.informers[0].status.problem = "403 Forbidden";
         s.informers[0].status.failing_for = 5min;
       },
       "Watch of deployments.apps fails  for 5 min: 403 Forbidden"},
      {"list", [](Status& s) { s.informers[0].status.has_synced = false; }, "Cache of deployments.apps has not synced"},
      {"silence", [](Status& s) { s.informers[0].status.age = 4min; },
       "Watch of deployments.apps is silent  no event or bookmark for 4 min"},
      {"lost", [](Status& s) { s.leader->state = State::kLost; }, "Leadership is lost"},
      {"failing", [](Status& s) { s.controllers[0].status.queue.failing = 7; },
       "Keys of memcached fail  7 keys are retried with backoff"},
      {"one failing", [](Status& s) { s.controllers[0].status.queue.failing = 1; },
       "A key of memcached fails  1 key is retried with backoff"},
      {"waiting",
       [](Status& s) {
         s.controllers[0].status.queue.oldest = {"default/a", 2min};
       },
       "Keys of memcached wait for a worker  default/a for 2 min"},
      {"slow",
       [](Status& s) {
         s.controllers[0].status.queue.running = {{"default/b", 90s}};
       },
       "A reconcile of memcached is slow  default/b is in progress for 1 min 30 s"},
      {"webhooks", [](Status& s) { s.webhook_problem = "no certificate"; }, "Webhooks are not served  no certificate"},
      {"certificate",
       [](Status& s) {
         s.certificates = {{"webhook-ca", s.now + 36h, true}};
       },
       "Certificate for webhook-ca  expires in 1 d 12 h"},
      {"expired",
       [](Status& s) {
         s.certificates = {{"client", s.now - 1h, true}};
       },
       "Certificate for client  expired 1 h ago"},
      {"rotation",
       [](Status& s) {
         s.certificate_problems = {{"webhook", "secrets is forbidden", s.now - 1h}};
       },
       "Work on the webhook certificate fails  since 2025-11-25T18:46:40Z: secrets is forbidden"},
      {"log level",
       [](Status& s) {
         s.log_level = LogLevel{"5", "info", "since 2026-01-02T15:04:05Z by jane"};
       },
       "The log level is changed  from info to 5 since 2026-01-02T15:04:05Z by jane"},
      {"one conflict", [](Status& s) { s.contested = 1; }, "Another writer changes children back  1 child now"},
      {"one reconcile",
       [](Status& s) {
         s.controllers[0].status.busy = {{"default/a", 0, 1}};
       },
       "default/a: 1 reconcile in a row requested the next one without a delay"},
      {"conflicts", [](Status& s) { s.contested = 2; }, "Another writer changes children back  2 children now"},
      {"overload", [](Status& s) { s.concurrency = {.limit = 3, .workers = 20, .in_use = 3}; },
       "The API server is overloaded  3 of 20 workers may reconcile at once"},
      {"busy",
       [](Status& s) {
         s.controllers[0].status.busy = {{"default/a", 0, 41}};
       },
       "default/a: 41 reconciles in a row requested the next one without a delay"},
      {"busy by changes",
       [](Status& s) {
         s.controllers[0].status.busy = {{"default/a", 6000, 0}};
       },
       "A key of memcached is reconciled again and again  default/a: 6000 times within a minute"},
      {"lag", [](Status& s) { s.loop_lag = 250ms; }, "The event loop is late  250 ms"},
      {"lease", [](Status& s) { s.leader->problem = "etcdserver: mvcc: database space exceeded"; },
       "Lease system/keelson-manager cannot be read or written  etcdserver: mvcc: database space exceeded"},
      {"memory", [](Status& s) { s.resident_bytes = std::uint64_t{120} << 20; },
       "The memory is nearly full  120 MiB of 128 MiB; the largest cache is that of deployments.apps: 1 MiB, 1000 "
       "objects"},
      {"dry run", [](Status& s) { s.is_dry_run = true; }, "Dry run  writes are not stored"},
  };
  for (const auto& one : cases) {
    INFO(one.name);
    auto status = healthy();
    one.break_it(status);

    const auto text = plain_text_of(status_page(status));

    CHECK(contains(text, one.line));
    CHECK_FALSE(contains(text, "Nothing needs attention."));
  }
}

TEST_CASE("a conflict that has ended needs no attention") {
  auto status = healthy();
  status.conflicts = 2;

  const auto text = plain_text_of(status_page(status));

  CHECK(contains(text, "Nothing needs attention."));
  CHECK(contains(text, "Conflicts with other writers since the start: 2\n"));
}

TEST_CASE("keys, errors and problems that contain HTML are shown as text") {
  const std::string script = "<script>alert(1)</script>";
  auto status = healthy();
  auto& controller = status.controllers[0].status;
  controller.slowest = {{script, 1s, 2s}};
  controller.failing = {{script, script, 3, 4s}};
  controller.queue.oldest = {script, 5s};
  controller.queue.next = {script, 5s};
  controller.queue.running = {{script, 5s}};
  status.informers[0].status.problem = script;
  status.informers[0].status.selection = script;
  status.webhook_problem = script;
  status.api_error = script;
  status.errors = {{script, script, script, script, 1, status.now}};

  const auto html = html_of(status_page(status));

  CHECK_FALSE(contains(html, "<script"));
  CHECK(contains(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST_CASE("the slowest keys of all controllers are one list, the slowest first") {
  auto status = healthy();
  status.controllers.push_back(status.controllers[0]);
  status.controllers[1].status.name = "cronjob";
  for (int i = 0; i < 9; ++i) {
    status.controllers[0].status.slowest.push_back({"m" + std::to_string(i), i * 100ms, 1s});
    status.controllers[1].status.slowest.push_back({"c" + std::to_string(i), i * 100ms + 50ms, 1s});
  }

  const auto text = plain_text_of(status_page(status));

  CHECK(text.find("\n  c8 ") < text.find("\n  m8 "));
  CHECK(contains(text, "\n  m4 "));
  CHECK_FALSE(contains(text, "\n  c3 "));
}

TEST_CASE("a page of full lists and long texts stays below its size") {
  auto status = healthy();
  const std::string long_name(300, 'n');
  for (std::size_t i = 0; i < 20; ++i) {
    auto controller = status.controllers[0];
    controller.status.name = long_name;
    controller.status.slowest.assign(5, {long_name, 1s, 1s});
    controller.status.failing.assign(5, {long_name, std::string(300, 'e'), 1, 1s});
    controller.status.queue.running.assign(5, {long_name, 1s});
    controller.depth_history.assign(limits::kHistoryPoints, 123.4F);
    controller.rate_history.assign(limits::kHistoryPoints, 123.4F);
    status.controllers.push_back(controller);
  }
  status.errors.assign(limits::kRecentErrors, {long_name, long_name, long_name, std::string(400, 'e'), 1, status.now});

  // Each key is also in the link to its object.
  CHECK(html_of(status_page(status)).size() < 450'000);
  CHECK(plain_text_of(status_page(status)).size() < 300'000);
}

TEST_CASE("a typical page is smaller than 60 KB") {
  auto status = healthy();
  status.controllers[0].depth_history.assign(limits::kHistoryPoints, 123.4F);
  status.controllers[0].rate_history.assign(limits::kHistoryPoints, 123.4F);
  status.controllers.assign(5, status.controllers[0]);
  status.informers.assign(12, status.informers[0]);
  for (auto* history : {&status.lag_history, &status.memory_history, &status.depth_history, &status.rate_history}) {
    history->assign(limits::kHistoryPoints, 1.5F);
  }
  status.errors.assign(20,
                       {"controller", "Reconciler error", "memcached default/a", std::string(100, 'e'), 1, status.now});

  CHECK(html_of(status_page(status)).size() < 60'000);
}

TEST_CASE("the JSON has the same numbers, with their types") {
  auto status = healthy();
  status.controllers[0].status.queue.oldest = {"default/a", 2s};
  status.lag_history = {0.5F};
  status.errors = {{"controller", "Reconciler error", "memcached default/a", "no image", 3, status.now}};

  const auto document = json::Document::parse(status_json(status));

  REQUIRE(document.has_value());
  const auto root = document->root();
  CHECK(root.find("kind").string() == "Statusz");
  CHECK(root.find("uptimeSeconds").number() == 7380);
  CHECK(root.find("leader").find("isLeader").boolean() == true);
  CHECK(root.find("leader").find("holder").string() == "host_1");
  const auto controller = *root.find("controllers").items().begin();
  CHECK(controller.find("successes").integer() == 90);
  CHECK(controller.find("queue").find("oldest").find("key").string() == "default/a");
  CHECK(controller.find("queue").find("oldest").find("seconds").number() == 2);
  const auto informer = *root.find("informers").items().begin();
  CHECK(informer.find("resource").string() == "deployments.apps");
  CHECK(informer.find("objects").integer() == 1000);
  CHECK(root.find("webhooks").find("requests").find("/mutate-a").find("400").integer() == 1);
  CHECK(root.find("apiServer").find("requests").find("GET 200").integer() == 12);
  CHECK((*root.find("recentErrors").items().begin()).find("count").integer() == 3);
  CHECK((*root.find("history").find("loopLagSeconds").items().begin()).number() == 0.5);
}

TEST_CASE("a program without leader election, controllers and webhooks has a page, too") {
  Status status;
  status.program = "greeter";

  const auto text = plain_text_of(status_page(status));

  CHECK(contains(text, "State: leader election off\n"));
  CHECK(contains(text, "Leader election: off\n"));
  CHECK(contains(text, "  no controllers\n"));
  CHECK(json::Document::parse(status_json(status)).has_value());
}

}  // namespace
}  // namespace keelson::zpages
