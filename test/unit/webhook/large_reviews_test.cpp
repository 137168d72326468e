// Large reviews are processed one at a time, and small ones do not wait for them.
#include <boost/asio/this_coro.hpp>
#include <catch2/catch_test_macros.hpp>

#include "keelson/async/task_group.hpp"
#include "src/webhook/review_limits.hpp"
#include "test/unit/webhook/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

// A validator that takes a second.
class Slow final : public webhook::Validator<ToastSpec> {
 public:
  explicit Slow(async::Clock& clock) : clock_(clock) {}
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<ToastSpec>&) override {
    co_await async::sleep_for(clock_, 1s);
    co_return webhook::Decision::allow();
  }

 private:
  async::Clock& clock_;
};

struct Answered {
  std::string name;
  async::Duration after;
  int code;
};

struct SlowFixture {
  SlowFixture() : handler(loop.clock(), Logger(sink), registry, budget, {slow()}) {}

  webhook::ServedWebhook slow() { return with_validator(std::make_unique<Slow>(loop.clock())); }

  boost::asio::awaitable<void> ask(std::string name, std::size_t bytes, std::string query) {
    net::Request request;
    request.target = kValidate + query;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = review("CREATE", toast(R"({"slices":1,"future":")" + std::string(bytes, 'f') + R"("})"));
    auto reply = co_await handler.serve(std::move(request));
    const auto document = *json::Document::parse(reply.response.body);
    const auto code = document.root().at({"response", "status", "code"}).integer().value_or(0);
    answered.push_back({name, loop.clock().now() - begun, static_cast<int>(code)});
  }

  struct Asked {
    std::string name;
    std::size_t bytes;
    std::string query = "?timeout=10s";
  };
  void ask_at_once(std::vector<Asked> all) {
    loop.run([&]() -> boost::asio::awaitable<void> {
      async::TaskGroup group(co_await boost::asio::this_coro::executor);
      for (const auto& asked : all) group.spawn(ask(asked.name, asked.bytes, asked.query));
      co_await group.join();
    });
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  net::ServerBudget budget;
  webhook::AdmissionHandler handler;
  async::TimePoint begun = loop.clock().now();
  std::vector<Answered> answered;
};

constexpr std::size_t kLarge = webhook::kLargeReviewBytes + 1;

}  // namespace

TEST_CASE("large reviews are processed one at a time in order of arrival, and small reviews are not delayed") {
  SlowFixture fixture;

  fixture.ask_at_once({{"large 1", kLarge}, {"large 2", kLarge}, {"large 3", kLarge}, {"small", 1000}});

  REQUIRE(fixture.answered.size() == 4);
  const auto is = [&](std::size_t place, const std::string& name, async::Duration after) {
    return fixture.answered[place].name == name && fixture.answered[place].after == after;
  };
  const bool is_small_among_first = is(0, "small", 1s) || is(1, "small", 1s);
  CHECK(is_small_among_first);
  CHECK((is(0, "large 1", 1s) || is(1, "large 1", 1s)));
  CHECK(is(2, "large 2", 2s));
  CHECK(is(3, "large 3", 3s));
  for (const auto& answer : fixture.answered) CHECK(answer.code == 200);
}

TEST_CASE("a large review waits for its turn at most until its timeout, and the next review then gets the turn") {
  SlowFixture fixture;

  fixture.ask_at_once({{"first", kLarge}, {"hurried", kLarge, "?timeout=500ms"}, {"last", kLarge}});

  REQUIRE(fixture.answered.size() == 3);
  CHECK(fixture.answered[0].name == "hurried");
  CHECK(fixture.answered[0].after == 500ms);
  CHECK(fixture.answered[0].code == 504);
  CHECK(fixture.answered[2].name == "last");
  CHECK(fixture.answered[2].after == 2s);
  CHECK(fixture.budget.large_work().used() == 0);
}
