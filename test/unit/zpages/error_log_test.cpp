#include "keelson/detail/zpages/error_log.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::zpages {
namespace {

using namespace std::chrono_literals;

struct ErrorLogOnSink {
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  ErrorLog errors{sink, loop.clock()};
  Logger log{errors};
};

// A sink that writes nothing, as with --zap-log-level=panic.
class SilentSink final : public LogSink {
 public:
  [[nodiscard]] bool enabled(Level, int) const override { return false; }
  void write(const Line&) override { ++written; }
  int written = 0;
};

TEST_CASE("an error line is recorded with its object, and passed on") {
  ErrorLogOnSink fixture;
  const auto log =
      fixture.log.named("controller").with({{"controller", "memcached"}, {"namespace", "default"}, {"name", "a"}});

  log.error(invalid_error("no image"), "Reconciler error");
  log.info("Starting workers");

  REQUIRE(fixture.errors.recent().size() == 1);
  const auto& error = fixture.errors.recent().front();
  CHECK(error.logger == "controller");
  CHECK(error.message == "Reconciler error");
  CHECK(error.about == "memcached default/a");
  CHECK(error.error == "no image");
  CHECK(error.count == 1);
  CHECK(error.last == fixture.loop.clock().wall_now());
  CHECK(fixture.sink.count("Reconciler error") == 1);
  CHECK(fixture.sink.count("Starting workers") == 1);
}

TEST_CASE("values of other keys are not recorded") {
  ErrorLogOnSink fixture;

  fixture.log.error(invalid_error("b"), "a", {{"token", "s3cret"}, {"remedy", "s3cret"}});

  const auto& error = fixture.errors.recent().front();
  CHECK((error.logger + error.message + error.about + error.error).find("s3cret") == std::string::npos);
}

TEST_CASE("equal errors are one record with a count, and the last one stands first") {
  ErrorLogOnSink fixture;

  fixture.log.error(invalid_error("x"), "first");
  fixture.log.error(invalid_error("x"), "second");
  fixture.loop.clock().advance(5s);
  fixture.log.error(invalid_error("x"), "first");

  REQUIRE(fixture.errors.recent().size() == 2);
  CHECK(fixture.errors.recent().front().message == "first");
  CHECK(fixture.errors.recent().front().count == 2);
  CHECK(fixture.errors.recent().front().last == fixture.loop.clock().wall_now());
  CHECK(fixture.errors.total() == 3);
}

TEST_CASE("the number of records and the length of their texts are limited") {
  ErrorLogOnSink fixture;
  const std::string name(limits::kRecentErrorBytes + 100, 'n');

  for (std::size_t i = 0; i < limits::kRecentErrors + 10; ++i) {
    fixture.log.error(invalid_error(std::to_string(i) + std::string(5000, 'x')), "failed", {{"name", name}});
  }

  CHECK(fixture.errors.recent().size() == limits::kRecentErrors);
  CHECK(fixture.errors.recent().back().error.starts_with("10x"));
  const std::size_t ellipsis = 3;
  CHECK(fixture.errors.recent().back().error.size() == limits::kRecentErrorBytes + ellipsis);
  CHECK(fixture.errors.recent().back().about.size() == limits::kRecentErrorBytes + ellipsis);
  CHECK(fixture.errors.total() == limits::kRecentErrors + 10);
}

TEST_CASE("errors that the flags keep out of the log are recorded") {
  sandbox::loop::TestLoop loop;
  SilentSink silent;
  ErrorLog errors(silent, loop.clock());

  Logger(errors).error(invalid_error("x"), "failed");
  Logger(errors).info("Starting");

  CHECK(errors.recent().size() == 1);
  CHECK(silent.written == 0);
}

}  // namespace
}  // namespace keelson::zpages
