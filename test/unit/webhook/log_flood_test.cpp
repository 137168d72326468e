// Log lines that any client of the port can cause.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/async/log_limit.hpp"
#include "keelson/detail/async/notify.hpp"
#include "test/unit/webhook/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;

namespace {

class Endless final : public webhook::Validator<ToastSpec> {
 public:
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<ToastSpec>&) override {
    co_await never_.wait();
    co_return webhook::Decision::allow();
  }

 private:
  async::Notify never_;
};

}  // namespace

TEST_CASE("a flood of reviews that cannot be decoded writes a few lines, and all are counted") {
  HandlerFixture fixture;

  for (int i = 0; i < 500; ++i) {
    fixture.post(kValidate, "no review");
    fixture.post(kValidate, "{}", "text/plain");
  }

  CHECK(fixture.sink.count("unable to decode the request") + fixture.sink.count("bad request") ==
        async::LogLimit::kLines);
  fixture.loop.clock().advance(async::LogLimit::kInterval);
  fixture.sink.clear();
  fixture.post(kValidate, "no review");
  REQUIRE(fixture.sink.count("unable to decode the request") == 1);
  CHECK(fixture.sink.entries().front().fields.find("suppressed=990") != std::string::npos);
}

TEST_CASE("a flood of reviews with a timeout that is too short writes a few lines, and all are counted") {
  HandlerFixture fixture({with_validator(std::make_unique<Endless>())});
  const auto ask = [&fixture] {
    fixture.post(std::string(kValidate) + "?timeout=1ns", review("CREATE", toast(R"({"slices":1})")));
  };

  for (int i = 0; i < 500; ++i) ask();

  CHECK(fixture.sink.count("webhook timed out") == async::LogLimit::kLines);
  fixture.loop.clock().advance(async::LogLimit::kInterval);
  fixture.sink.clear();
  ask();
  REQUIRE(fixture.sink.count("webhook timed out") == 1);
  CHECK(fixture.sink.entries().back().fields.find("suppressed=490") != std::string::npos);
}
