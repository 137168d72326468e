// Lines that anybody who reaches the port can make the manager write.
#include <catch2/catch_test_macros.hpp>

#include "keelson/async/log_limit.hpp"
#include "test/unit/webhook/fixture.hpp"

using namespace keelson;
using namespace keelson::test;

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
