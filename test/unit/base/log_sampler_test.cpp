#include "src/base/log_sampler.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/limits.hpp"

using namespace std::chrono_literals;
using keelson::LogOptions;
using keelson::LogSink;
using keelson::base::LogSampler;

namespace {

constexpr LogOptions::WallTime kStart{1700000000s};

int admitted(LogSampler& sampler, int lines, LogOptions::WallTime when) {
  int count = 0;
  for (int i = 0; i < lines; ++i) count += sampler.admits(LogSink::Level::kInfo, "same", when) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a message is written a hundred times in a second and then every hundredth time") {
  LogSampler sampler;

  CHECK(admitted(sampler, 100, kStart) == 100);
  CHECK(admitted(sampler, 99, kStart) == 0);
  CHECK(admitted(sampler, 1, kStart) == 1);
  CHECK(admitted(sampler, 1000, kStart + 999ms) == 10);
}

TEST_CASE("the next second starts a new count") {
  LogSampler sampler;
  (void)admitted(sampler, 150, kStart);

  CHECK(admitted(sampler, 100, kStart + 1s) == 100);
}

TEST_CASE("each message has its own count in each level") {
  LogSampler sampler;
  (void)admitted(sampler, 150, kStart);

  CHECK(sampler.admits(LogSink::Level::kInfo, "other", kStart));
  CHECK(sampler.admits(LogSink::Level::kError, "same", kStart));
}

TEST_CASE("all counts start again when there are more messages than the limit") {
  LogSampler sampler;
  (void)admitted(sampler, 150, kStart);

  for (std::size_t i = 0; i < keelson::limits::kSampledMessages; ++i) {
    CHECK(sampler.admits(LogSink::Level::kInfo, std::to_string(i), kStart));
  }

  CHECK(admitted(sampler, 1, kStart) == 1);
}
