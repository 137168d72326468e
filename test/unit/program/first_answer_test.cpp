#include "src/program/first_answer.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::program {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Answers every request with `error`, or with 200.
class OneAnswer final : public kube::Client {
 public:
  explicit OneAnswer(std::optional<Error> error) : error_(std::move(error)) {}
  asio::awaitable<Result<kube::ApiReply>> send(kube::ApiRequest) override {
    if (error_) co_return *error_;
    co_return kube::ApiReply{200, "{}"};
  }
  asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(kube::ApiRequest) override {
    co_return error_.value_or(transport_error("no stream in this test"));
  }

 private:
  std::optional<Error> error_;
};

constexpr const char* kMessage = "The API server has not answered since the start; the manager keeps trying";

// The log after `how_long`, with a request and a stream at the start.
std::vector<testing::RecordingSink::Entry> log_after(async::Duration how_long, std::optional<Error> answer) {
  testing::TestLoop loop;
  testing::RecordingSink sink;
  FirstAnswer first(loop.executor(), loop.clock(), Logger(sink), "https://10.0.0.1:6443",
                    std::make_unique<OneAnswer>(std::move(answer)));
  loop.run([&]() -> asio::awaitable<void> {
    auto started = co_await first.start();
    CHECK(started);
    auto opened = co_await first.stream({});
    auto sent = co_await first.send({});
    static_cast<void>(opened);
    static_cast<void>(sent);
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
  Error forbidden(Error::Kind::kStatus, "forbidden");
  forbidden.code = 403;

  CHECK(log_after(31s, std::nullopt).empty());
  CHECK(log_after(31s, forbidden).empty());
}

}  // namespace
}  // namespace keelson::program
