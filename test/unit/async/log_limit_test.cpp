#include "keelson/detail/async/log_limit.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

using namespace keelson;
using async::LogLimit;

TEST_CASE("a flood of lines is reduced to a few per interval, and the others are counted") {
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  Logger log(sink);
  LogLimit limit(loop.clock());
  auto write = [&](int lines) {
    for (int i = 0; i < lines; ++i) {
      if (auto admitted = limit.admit(log)) admitted->info("bad request");
    }
  };

  write(1000);
  CHECK(sink.count("bad request") == LogLimit::kLines);
  loop.clock().advance(LogLimit::kInterval - std::chrono::nanoseconds(1));
  write(1);
  CHECK(sink.count("bad request") == LogLimit::kLines);
  loop.clock().advance(std::chrono::nanoseconds(1));
  write(2);

  REQUIRE(sink.count("bad request") == LogLimit::kLines + 2);
  CHECK(sink.entries()[LogLimit::kLines].fields == "suppressed=991");
  CHECK(sink.entries().back().fields.empty());
}
