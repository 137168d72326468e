#include "src/sandbox/faults/chaos.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/role_talk.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::RoleTalk;
using fixtures::watch_of;

kube::ApiRequest asking(kube::Verb verb) {
  kube::ApiRequest request;
  request.verb = verb;
  request.resource = kube::config_maps();
  request.key = kube::Key("default", "a");
  return request;
}

TEST_CASE("chaos is parsed from its parts, and printed as it was given") {
  auto options = parse_chaos("seed=7, 409=0.05,429=1%,500=0.5,drop-watches=30s,latency=50ms");
  REQUIRE(options);

  CHECK(options->seed == 7);
  CHECK(options->conflicts == 0.05);
  CHECK(options->too_many_requests == 0.01);
  CHECK(options->internal_errors == 0.5);
  CHECK(options->watch_life == std::chrono::seconds(30));
  CHECK(options->most_latency == std::chrono::milliseconds(50));
  CHECK(chaos_tree(*options).text() ==
        R"({"seed":7,"409":0.05,"429":0.01,"500":0.5,"drop-watches":"30s","latency":"50ms"})");
  CHECK(read_chaos(chaos_tree(*options).text()).value() == *options);
  CHECK(parse_chaos("").value() == ChaosOptions());
  CHECK_FALSE(ChaosOptions().is_on());
  CHECK_FALSE(parse_chaos("seed=9").value().is_on());
}

TEST_CASE("invalid chaos is an error that names the valid form") {
  struct Row {
    const char* text;
    const char* error;
  };
  const Row rows[] = {
      {"409", R"("409": write NAME=VALUE)"},
      {"404=0.1", R"("404=0.1": give seed, 409, 429, 500, drop-watches or latency)"},
      {"500=2", R"("500=2": give a share of the requests from 0 to 1, for example 0.05 or 5%)"},
      {"500=-1", R"("500=-1": give a share of the requests from 0 to 1, for example 0.05 or 5%)"},
      {"500=nan", R"("500=nan": give a share of the requests from 0 to 1, for example 0.05 or 5%)"},
      {"429=101%", R"("429=101%": give a share of the requests from 0 to 1, for example 0.05 or 5%)"},
      {"seed=-1", R"("seed=-1": give a number of at most 20 digits)"},
      {"latency=1h", R"("latency=1h": give the longest delay of a request, from 0s to 30s, for example 50ms)"},
      {"drop-watches=1ms",
       R"("drop-watches=1ms": give how long a watch lasts on average, from 10ms to 24h, for example 30s; 0s breaks none)"},
      {"429=0.1,429=0.2", R"("429" is given twice)"},
      {"429=0.6,500=0.6", "the sum of 409, 429 and 500 is more than 1: give shares whose sum is at most 1"},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    auto options = parse_chaos(row.text);
    REQUIRE_FALSE(options);
    CHECK(options.error().text == row.error);
  }
  CHECK_FALSE(read_chaos(R"({"409":[1]})"));
  CHECK_FALSE(read_chaos("{"));
}

TEST_CASE("a seed always gives the same failures, in the requested ratios") {
  const auto options = parse_chaos("seed=3,409=0.2,429=0.1,500=0.05,latency=10ms").value();
  Chaos one(options);
  Chaos two(options);
  constexpr int kRequests = 10'000;
  async::Duration delays{0};

  for (int i = 0; i < kRequests; ++i) {
    auto verb = i % 2 == 0 ? kube::Verb::kUpdate : kube::Verb::kCreate;
    auto first = one.disturb(asking(verb));
    auto second = two.disturb(asking(verb));
    REQUIRE(first.delay == second.delay);
    REQUIRE(first.delay <= options.most_latency);
    REQUIRE((first.failure ? first.failure->code : 0) == (second.failure ? second.failure->code : 0));
    if (first.failure && verb == kube::Verb::kCreate) REQUIRE(first.failure->code != 409);
    delays += first.delay;
  }

  CHECK(one.injected().too_many_requests > 900);
  CHECK(one.injected().too_many_requests < 1100);
  CHECK(one.injected().internal_errors > 400);
  CHECK(one.injected().internal_errors < 600);
  CHECK(one.injected().conflicts > 900);
  CHECK(one.injected().conflicts < 1100);
  CHECK(delays / kRequests > std::chrono::milliseconds(4));
  CHECK(delays / kRequests < std::chrono::milliseconds(6));
}

TEST_CASE("clients in memory observe chaos, and the log has it") {
  ApiServerOptions server;
  server.chaos = parse_chaos("429=1").value();
  fixtures::Talk talk(server);

  auto rejected = talk.ask(kube::get(talk.client(), kube::config_maps(), kube::Key("default", "a")));
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().code == 429);
  CHECK(rejected.error().retry_after == std::chrono::seconds(1));
  CHECK_FALSE(talk.ask(talk.client().stream(watch_of(kube::config_maps()))));
  CHECK(talk.server.count([](const RequestInfo& r) { return r.code == 429 && r.user == "tester"; }) >= 2);

  talk.server.set_chaos({});
  REQUIRE(talk.create_map("a"));
  talk.server.set_chaos(parse_chaos("409=1").value());
  auto conflict = talk.ask(
      kube::patch(talk.client(), kube::config_maps(), kube::Key("default", "a"), kube::PatchType::kMerge, "{}"));
  REQUIRE_FALSE(conflict);
  CHECK(kube::is_conflict(conflict.error()));
  CHECK(
      conflict.error().server_text ==
      R"(Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to )"
      R"(the latest version and try again)");
  CHECK(talk.create_map("b"));
  CHECK(talk.ask(kube::get(talk.client(), kube::config_maps(), kube::Key("default", "a"))));
}

TEST_CASE("watches break after a while, also those that were opened before") {
  fixtures::Talk talk;
  auto stream = talk.ask(talk.client().stream(watch_of(kube::config_maps())));
  REQUIRE(stream);

  talk.server.set_chaos(parse_chaos("drop-watches=10s").value());
  talk.pass(std::chrono::minutes(5));
  CHECK(talk.read_ready(**stream) == "unexpected EOF");

  auto second = talk.ask(talk.client().stream(watch_of(kube::config_maps())));
  REQUIRE(second);
  talk.server.set_chaos({});
  talk.pass(std::chrono::minutes(5));
  CHECK(talk.create_map("a"));
  CHECK(talk.read_ready(**second).find(R"("type":"ADDED")") != std::string::npos);
}

TEST_CASE("over HTTP, health and chaos requests never fail, and only the administrator sets chaos") {
  RoleTalk talk;
  auto set = talk.as(kAdministrator, "PUT", "/sandbox/chaos", R"({"429":1,"seed":4})");
  CHECK(set.status == 200);
  CHECK(set.body == R"({"seed":4,"409":0,"429":1,"500":0,"drop-watches":"0s","latency":"0s",)"
                    R"("injected":{"409":0,"429":0,"500":0,"drop-watches":0}})"
                    "\n");

  auto rejected = talk.as(kAdministrator, "GET", "/api/v1/pods");
  CHECK(rejected.status == 429);
  CHECK(net::header(rejected.headers, "Retry-After") == "1");
  CHECK(message_of(rejected) == "Too many requests, please try again later.");
  CHECK(talk.as(kAdministrator, "GET", "/apis").status == 429);
  CHECK(talk.as("system:anonymous", "GET", "/readyz").status == 200);
  CHECK(talk.as("ann", "GET", "/api/v1/pods").status == 403);
  CHECK(talk.as(kAdministrator, "GET", "/sandbox/chaos").body.find(R"("injected":{"409":0,"429":2,)") !=
        std::string::npos);

  talk.as(kAdministrator, "PUT", "/sandbox/chaos", "500=100%");
  CHECK(message_of(talk.as(kAdministrator, "GET", "/api/v1/pods")) == "Internal error occurred: injected by --chaos");
  CHECK(talk.as(kAdministrator, "PUT", "/sandbox/chaos", R"({"500":7})").status == 400);
  CHECK(talk.as(kAdministrator, "DELETE", "/sandbox/chaos").status == 405);
  CHECK(talk.as("ann", "GET", "/sandbox/chaos").status == 403);
  CHECK(talk.as(kAdministrator, "PUT", "/sandbox/chaos", "{}").status == 200);
  CHECK(talk.as(kAdministrator, "GET", "/api/v1/pods").status == 200);

  fixtures::HttpTalk open;
  CHECK(message_of(open.send("PUT", "/sandbox/chaos", "{}")) ==
        R"(forbidden: User "alice" cannot put path "/sandbox/chaos": only members of system:masters may use it)");
}

}  // namespace
}  // namespace keelson::sandbox
