#include "keelson/detail/base/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace keelson::base {

namespace {

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      auto replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view typed, const std::vector<std::string_view>& known) {
  // A longer text is not a misspelled name, and the comparison takes quadratic time.
  constexpr std::size_t kLongest = 64;
  if (typed.size() > kLongest) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = 0;
  for (auto name : known) {
    auto distance = edit_distance(typed, name);
    if (best && distance >= best_distance) continue;
    best = name;
    best_distance = distance;
  }
  if (!best || best_distance * 3 > best->size()) return std::nullopt;
  return best;
}

}  // namespace keelson::base
