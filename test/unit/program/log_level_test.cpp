#include "src/program/log_level.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::program {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class FakeAdjustable final : public AdjustableSink {
 public:
  explicit FakeAdjustable(int verbosity) : verbosity_(verbosity) {}
  [[nodiscard]] int verbosity() const override { return verbosity_; }
  void set_verbosity(int verbosity) override { verbosity_ = verbosity; }
  [[nodiscard]] bool enabled(Level level, int verbosity) const override {
    return level == Level::kError ? verbosity_ >= -1 : verbosity_ >= verbosity;
  }
  void write(const Line& line) override { lines.write(line); }

  testing::FakeLog lines;

 private:
  int verbosity_;
};

struct AdjustedLevel {
  net::Response ask(std::string method, std::string body = "", std::string query = "") {
    net::Request request;
    request.method = std::move(method);
    request.target = std::string(kLogLevelPath) + query;
    request.body = std::move(body);
    return level.answer(request, "jane");
  }

  sandbox::loop::TestLoop loop;
  FakeAdjustable sink{0};
  LogLevel level{loop.clock(), sink, Logger(sink)};
};

TEST_CASE("the log level is shown, changed by a body, a form or a query, and set back") {
  AdjustedLevel fixture;
  CHECK(fixture.ask("GET").body == "info\n");

  struct Row {
    const char* body;
    const char* query;
    int verbosity;
    const char* text;
  };
  for (const auto& [body, query, verbosity, text] :
       {Row{"5", "", 5, "5 since "}, Row{"debug\n", "", 1, "debug since "}, Row{"level=error", "", -1, "error since "},
        Row{"", "?level=7", 7, "7 since "}, Row{"panic", "", -2, "panic since "}, Row{"info", "", 0, "info\n"}}) {
    INFO(text);
    const auto response = fixture.ask("PUT", body, query);
    CHECK(response.status == 200);
    CHECK(response.body.starts_with(text));
    CHECK(fixture.sink.verbosity() == verbosity);
  }
  CHECK(fixture.ask("PUT", "5").body.find(" by jane, info at the start\n") != std::string::npos);
  CHECK(fixture.level.state().now == "5");
  CHECK(fixture.level.state().changed.find("by jane") != std::string::npos);
  CHECK(fixture.ask("DELETE").body == "info\n");
  CHECK(fixture.level.state().changed.empty());
}

TEST_CASE("each change is logged with the user, also if the new level has no such lines") {
  AdjustedLevel fixture;
  fixture.ask("PUT", "error");
  const auto* line = fixture.sink.lines.find("Changed the log level");
  REQUIRE(line != nullptr);
  CHECK(line->fields.at("from") == R"("info")");
  CHECK(line->fields.at("to") == R"("error")");
  CHECK(line->fields.at("user") == R"("jane")");
  fixture.ask("PUT", "debug");
  CHECK(fixture.sink.lines.entries.size() == 2);
}

TEST_CASE("a level with a duration ends by itself, and a later change replaces the end") {
  AdjustedLevel fixture;
  fixture.loop.run([&]() -> asio::awaitable<void> {
    CHECK(fixture.ask("PUT", "5", "?for=30m").body.find(" until ") != std::string::npos);
    co_await async::sleep_for(fixture.loop.clock(), 29min);
    CHECK(fixture.sink.verbosity() == 5);
    co_await async::sleep_for(fixture.loop.clock(), 2min);
    CHECK(fixture.sink.verbosity() == 0);

    fixture.ask("PUT", "level=5&for=1m");
    fixture.ask("PUT", "debug");
    co_await async::sleep_for(fixture.loop.clock(), 1h);
    CHECK(fixture.sink.verbosity() == 1);
  });
}

TEST_CASE("a level, duration, parameter or method that is wrong is an error that says what to use") {
  AdjustedLevel fixture;
  struct Row {
    const char* body;
    const char* query;
    const char* error;
  };
  for (const auto& [body, query, error] :
       {Row{"", "", "400 give the level as the body: debug, info, error, panic or a number above 0\n"},
        Row{"loud", "", "400 invalid log level \"loud\"\n"}, Row{"-3", "", "400 invalid log level \"-3\"\n"},
        Row{"5", "?for=soon",
            "400 for=\"soon\" is not a duration of at most 744h0m0s: use for example 90s, 30m or 2h\n"},
        Row{"5", "?for=-1m", "400 for=\"-1m\" is not a duration of at most 744h0m0s: use for example 90s, 30m or 2h\n"},
        Row{"v=5", "", "400 unknown parameter \"v\": use level, for\n"}}) {
    INFO(error);
    const auto response = fixture.ask("PUT", body, query);
    CHECK(response.status == 400);
    CHECK(response.body == error);
  }
  CHECK(fixture.sink.verbosity() == 0);
  const auto rejected = fixture.ask("POST", "5");
  CHECK(rejected.status == 405);
  CHECK(net::header(rejected.headers, "Allow") == "GET, PUT, DELETE");
}

}  // namespace
}  // namespace keelson::program
