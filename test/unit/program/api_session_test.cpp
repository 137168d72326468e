#include "keelson/program/api_session.hpp"

#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "keelson/async/clock.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"

namespace keelson::program {
namespace {

using namespace std::chrono_literals;

// Nothing listens there, and nothing is sent.
constexpr auto kNoServer = "http://127.0.0.1:9";

Task<void> wait_after_sigterm(ApiSession& session) {
  co_await async::sleep_for(session.clock(), 1ms);  // the session waits for signals by now
  std::raise(SIGTERM);
  co_await async::sleep_for(session.clock(), 1h);
  co_return Result<void>();
}

TEST_CASE("SIGTERM ends a session whose work waits, and its loop does not spin") {
  sandbox::loop::RecordingSink sink;
  auto session = ApiSession::connect({.program = "test", .server = kNoServer}, sink);
  REQUIRE(session);

  const auto ended = (*session)->run([&] { return wait_after_sigterm(**session); });
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);

  REQUIRE_FALSE(ended);
  CHECK(ended.error().text == "canceled by a signal");
}

}  // namespace
}  // namespace keelson::program
