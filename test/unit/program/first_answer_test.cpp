#include "src/program/first_answer.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::program {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr const char* kMessage = "The API server has not answered since the start; the manager keeps trying";

// The log after `how_long`, with a request at the start that ends so.
std::vector<sandbox::loop::RecordingSink::Entry> log_after(async::Duration how_long, const auto& end) {
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  FirstAnswer first(loop.executor(), loop.clock(), Logger(sink), "https://10.0.0.1:6443");
  loop.run([&]() -> asio::awaitable<void> {
    auto started = co_await first.start();
    CHECK(started);
    first.observe(end);
    co_await async::sleep_for(loop.clock(), how_long);
    co_await first.stop();
  });
  return sink.entries();
}

TEST_CASE("an API server that has not answered within 30 s of the start is logged as an error, with its address") {
  auto entries = log_after(31s, transport_error("dial tcp 10.0.0.1:6443: i/o timeout"));

  REQUIRE(entries.size() == 1);
  CHECK(entries[0].message == kMessage);
  CHECK(entries[0].error == "dial tcp 10.0.0.1:6443: i/o timeout");
  CHECK(entries[0].fields.find("https://10.0.0.1:6443") != std::string::npos);
}

TEST_CASE("an API server that has not answered is reported once, when the time limit passes") {
  CHECK(log_after(29s, transport_error("refused")).empty());
  CHECK(log_after(10min, transport_error("refused")).size() == 1);
}

TEST_CASE("any reply of the API server counts as an answer, a rejection too") {
  for (const auto status : {200, 403, 503}) {
    kube::Answer answer;
    answer.status = status;
    CHECK(log_after(31s, answer).empty());
  }
}

TEST_CASE("a timeout is not an answer") {
  const auto entries = log_after(31s, kube::Answer());

  REQUIRE(entries.size() == 1);
  CHECK(entries[0].error == "no reply yet");
}

}  // namespace
}  // namespace keelson::program
