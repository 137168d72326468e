// The memory of compiled patterns, which an expression may compute: another one for each value.
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

#include "keelson/detail/cel/program.hpp"
#include "src/cel/functions.hpp"
#include "test/support/count_bytes.hpp"

namespace keelson::cel {
namespace {

constexpr std::size_t kMostPatterns = 16;                         // of one evaluation
constexpr std::size_t kMostBytes = std::size_t{2} << 20;          // of one pattern
constexpr std::size_t kUsualBytes = std::size_t{128} << 10;       // of one small pattern that has been matched
constexpr auto kSteps = std::numeric_limits<std::size_t>::max();  // compilation and matches are not limited here

std::size_t peak_of(std::string_view rule, std::size_t patterns, const std::string& text) {
  Values numbers;
  for (std::size_t i = 0; i < patterns; ++i) numbers.push_back(Value::of_int(static_cast<std::int64_t>(i)));
  const auto x = Value::of_list(std::move(numbers));
  const auto y = Value::of_string(text);
  auto program = Program::compile(rule, {{"x", dyn_type()}, {"y", dyn_type()}});
  REQUIRE(program);
  auto steps = kSteps;
  const testing::PeakBytes peak;
  const auto value = program->evaluate({{"x", x}, {"y", y}}, steps);
  INFO(value.text());
  CHECK(value.is_true());
  return peak.bytes();
}

TEST_CASE("an expression that computes 10,000 patterns has a few of them in memory at a time") {
  const auto* rule = "x.all(i, y.matches('^p[0-9]*(' + string(i) + ')?$'))";
  const auto few = peak_of(rule, 2 * kMostPatterns, "p0");
  const auto many = peak_of(rule, 10'000, "p0");

  CAPTURE(few, many);
  if (!testing::kCountsBytes) return;
  CHECK(few > kMostPatterns * 1024);  // the patterns are counted
  CHECK(many <= 2 * few);
  CHECK(many <= kMostPatterns * kUsualBytes);
}

TEST_CASE("patterns that take as much memory as a pattern may stay within the limit together") {
  std::string text;
  for (int i = 0; i < 600; ++i) text += static_cast<char>('a' + (i * i + i / 7) % 3);
  const auto* rule = "x.all(i, !y.matches('[ab][abc]{900}[abc]{900}[abc]{900}[abc]{900}[abc]{900}z' + string(i)))";
  const auto one = peak_of(rule, 1, text);
  const auto many = peak_of(rule, 3 * kMostPatterns, text);

  CAPTURE(one, many);
  if (!testing::kCountsBytes) return;
  CHECK(one <= kMostBytes);
  CHECK(many <= kMostPatterns * kMostBytes);
}

TEST_CASE("a budget compiles a pattern once while it has room, and again after 16 others") {
  Budget budget(kSteps, kSteps);
  const auto cost_of = [&budget](const std::string& pattern) {
    const auto before = budget.left();
    REQUIRE(budget.pattern(pattern) != nullptr);
    return before - budget.left();
  };
  const auto first = cost_of("^a$");
  for (std::size_t i = 1; i < kMostPatterns; ++i) CHECK(cost_of("^" + std::to_string(i) + "$") > 0);

  CHECK(first > 0);
  CHECK(cost_of("^a$") == 0);
  CHECK(cost_of("^b$") > 0);
  CHECK(cost_of("^a$") == first);
}

}  // namespace
}  // namespace keelson::cel
