// Electors on one lease in memory, in virtual time: what the tests of the elector share.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <string>

#include "keelson/detail/leader/elector.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/leader/fake_lock.hpp"

namespace keelson::testing {

namespace asio = boost::asio;
using leader::Elector;
using State = Elector::State;

// A replica.
struct Candidate {
  Candidate(sandbox::loop::TestLoop& loop, base::Random& random, StoredLease& stored, const std::string& identity)
      : lock(loop.clock(), stored),
        elector(leader::make_elector(loop.executor(), loop.clock(), random, Logger(sink), registry, lock,
                                     {.identity = identity, .name = "lease", .timing = {}})) {
    elector->on_change([this, &loop] {
      if (elector->state() == State::kLeading) led_from = loop.clock().now();
      if (elector->state() == State::kLost) lost_at = loop.clock().now();
    });
  }
  [[nodiscard]] bool leads() const { return elector->state() == State::kLeading; }
  [[nodiscard]] std::size_t errors() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(sink.entries(), [](const auto& entry) { return entry.level == LogSink::Level::kError; }));
  }
  [[nodiscard]] bool logged(const std::string& message) const {
    return std::ranges::any_of(sink.entries(), [&](const auto& entry) { return entry.message == message; });
  }
  // The values of the first line with this message.
  [[nodiscard]] std::string logged_fields(const std::string& message) const {
    const auto found =
        std::ranges::find_if(sink.entries(), [&](const auto& entry) { return entry.message == message; });
    return found == sink.entries().end() ? "" : found->fields;
  }

  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  FakeLock lock;
  std::unique_ptr<Elector> elector;
  async::TimePoint led_from{};
  async::TimePoint lost_at{};
};

struct CandidatesOnLease {
  std::unique_ptr<Candidate> candidate(const std::string& identity) {
    return std::make_unique<Candidate>(loop, random, stored, identity);
  }
  void start(Candidate& who) { REQUIRE(result_of(loop, who.elector->start())); }
  // A replica that has competed for a second: it leads if no other one does.
  std::unique_ptr<Candidate> competing(const std::string& identity) {
    auto who = candidate(identity);
    start(*who);
    pass(std::chrono::seconds(1));
    return who;
  }
  void stop(Candidate& who) { loop.run(who.elector->stop()); }
  void pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }
  async::Duration pass_until(const std::function<bool()>& holds, async::Duration limit = std::chrono::minutes(1)) {
    auto began = loop.clock().now();
    while (!holds() && loop.clock().now() - began < limit) pass(std::chrono::milliseconds(10));
    return loop.clock().now() - began;
  }
  // A lease that another replica holds and never renews.
  void held_by_dead(std::int64_t seconds = 15) { stored.set(leader::Record{"dead", seconds, "then", "then", 3}); }

  sandbox::loop::TestLoop loop;
  base::Random random{7};
  StoredLease stored;
};

}  // namespace keelson::testing
