#include "src/access/review_retries.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson;
using namespace keelson::access;
using namespace std::chrono_literals;

namespace {

Error status(int code) {
  Error error(Error::Kind::kStatus, "no");
  error.code = code;
  return error;
}

}  // namespace

TEST_CASE("a review is retried four times, after half a second and then half as long again each time") {
  base::Random random(1);
  ReviewRetries retries(random);

  for (const auto pause : {500ms, 750ms, 1125ms, 1687ms}) {
    auto waited = retries.after(transport_error("connection refused"));
    REQUIRE(waited.has_value());
    CHECK(*waited >= pause);
    CHECK(*waited <= pause * 6 / 5 + 2ms);
  }
  CHECK_FALSE(retries.after(transport_error("connection refused")).has_value());
}

TEST_CASE("transient errors are retried, rejections are not") {
  base::Random random(1);
  auto is_retried = [&](const Error& error) { return ReviewRetries(random).after(error).has_value(); };

  CHECK(is_retried(transport_error("reset")));
  CHECK(is_retried(timeout_error("no answer")));
  CHECK(is_retried(status(500)));
  CHECK(is_retried(status(503)));
  CHECK(is_retried(status(429)));
  CHECK_FALSE(is_retried(status(400)));
  CHECK_FALSE(is_retried(status(401)));
  CHECK_FALSE(is_retried(status(403)));
  CHECK_FALSE(is_retried(malformed_error("no JSON")));
}
