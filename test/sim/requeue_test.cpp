// Reconcilers that are called again and again, because they request it or change their own object.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/controller/controller_for.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;

struct ClockSpec {
  std::int64_t steps = 0;
  std::int64_t delay_us = 0;
  bool counts = false;
  bool requeues = false;
};
void describe(kube::Description& d, ClockSpec& spec) {
  d.field("steps", spec.steps, "Passes that request the next one; 0: all of them.");
  d.field("delayUs", spec.delay_us, "The requested delay.");
  d.field("counts", spec.counts, "Each pass writes another status.");
  d.field("requeues", spec.requeues, "It requests the next pass as well.");
}
struct ClockStatus {
  std::int64_t passes = 0;
};
void describe(kube::Description& d, ClockStatus& status) { d.field("passes", status.passes, "Passes."); }
struct Ticker : CustomResource<ClockSpec, ClockStatus> {
  static constexpr kube::Identity kIdentity{"time.example.com", "v1", "Ticker"};
};

int passes = 0;
async::TimePoint last_pass;

Reconciled tick(const Ticker& ticker, Pass<Ticker>& pass) {
  ++passes;
  last_pass = pass.clock.now();
  if (ticker.spec.counts) {
    pass.status().passes = passes;
    if (ticker.spec.requeues) co_return requeue_after(0s);
    co_return done();
  }
  if (ticker.spec.steps > 0 && passes > ticker.spec.steps) co_return done();
  co_return requeue_after(std::chrono::microseconds(ticker.spec.delay_us));
}

const kube::Key kMine("default", "mine");

struct TickerCluster : sandbox::SimulatedCluster {
  explicit TickerCluster(const std::string& spec) : SimulatedCluster(controller_for<Ticker>(tick)) {
    passes = 0;
    REQUIRE(start_manager());
    REQUIRE(create(
        kube::resource_of<Ticker>(), "default",
        R"({"apiVersion":"time.example.com/v1","kind":"Ticker","metadata":{"name":"mine"},"spec":)" + spec + "}"));
  }
};

TEST_CASE("a reconciler that always requests the next pass without a delay is paced and reported") {
  for (const std::string spec : {"{}", R"({"delayUs":-1000})", R"({"delayUs":1})", R"({"delayUs":4999})"}) {
    INFO(spec);
    TickerCluster world(spec);

    world.pass(1min);

    CHECK(passes > 60);
    CHECK(passes < 80);
    const auto answer = world.explain_object(kube::resource_of<Ticker>(), kMine);
    CHECK(answer.find("It is reconciled again and again: its last ") != std::string::npos);
    std::size_t lines = 0;
    for (const auto& line : world.sink.entries()) {
      lines += line.message.find("without a delay") != std::string::npos ? 1 : 0;
    }
    CHECK(lines == 1);
  }
}

TEST_CASE("a new status of each pass does not end the row of its requests") {
  TickerCluster world(R"({"counts":true,"requeues":true})");

  world.pass(1s);

  const auto answer = world.explain_object(kube::resource_of<Ticker>(), kMine);
  CHECK(answer.find("It is reconciled again and again: its last ") != std::string::npos);
}

TEST_CASE("a few passes in a row are not delayed") {
  TickerCluster world(R"({"steps":9})");
  const auto begun = world.loop.clock().now();

  world.pass(1min);

  CHECK(passes == 10);
  CHECK(last_pass - begun < 100ms);
}

TEST_CASE("a longer delay is granted as it is requested") {
  TickerCluster world(R"({"delayUs":5000})");

  world.pass(1s);

  CHECK(passes > 190);
}

TEST_CASE("an object whose every pass changes its own status is reported") {
  TickerCluster world(R"({"counts":true})");

  world.pass(70s);

  const auto answer = world.explain_object(kube::resource_of<Ticker>(), kMine);
  INFO(passes);
  CHECK(answer.find("It is reconciled again and again: ") != std::string::npos);
  CHECK(answer.find(" times within a minute") != std::string::npos);
}

}  // namespace
}  // namespace keelson
