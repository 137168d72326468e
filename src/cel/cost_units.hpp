// Arithmetic of costs that does not overflow, and the costs that an estimate and a call compute alike.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace keelson::cel {

inline constexpr auto kMostCost = std::numeric_limits<std::uint64_t>::max();
inline constexpr double kTraversal = 0.1;
inline constexpr double kPattern = 0.25;
inline constexpr double kNamePattern = 128 * kPattern;

[[nodiscard]] inline std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a > kMostCost - b ? kMostCost : a + b;
}
[[nodiscard]] inline std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMostCost / b ? kMostCost : a * b;
}
[[nodiscard]] inline std::uint64_t scaled(std::uint64_t count, double factor) {
  const double product = std::ceil(static_cast<double>(count) * factor);
  return product >= 18446744073709551616.0 ? kMostCost : static_cast<std::uint64_t>(product);
}

[[nodiscard]] inline std::uint64_t pattern_cost(std::uint64_t text, std::uint64_t pattern) {
  return times(scaled(plus(text, 1), kTraversal), scaled(pattern, kPattern));
}

// Of an address in a range, which is compared in bytes: 4 to 16.
[[nodiscard]] inline std::uint64_t range_cost(std::uint64_t bytes, bool is_range, std::uint64_t parsed) {
  const auto traversed = is_range ? scaled(bytes, kTraversal) + 1 : 0;
  return plus(scaled(2 * bytes, kTraversal) + traversed, scaled(parsed, kTraversal));
}

}  // namespace keelson::cel
