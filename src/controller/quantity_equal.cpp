#include "src/controller/quantity_equal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace keelson::controller {

namespace {

struct Suffix {
  std::string_view text;
  long double factor;
};

constexpr long double kKibi = 1024.0L;
constexpr std::array kSuffixes{
    Suffix{"", 1.0L},
    Suffix{"n", 1e-9L},
    Suffix{"u", 1e-6L},
    Suffix{"m", 1e-3L},
    Suffix{"k", 1e3L},
    Suffix{"M", 1e6L},
    Suffix{"G", 1e9L},
    Suffix{"T", 1e12L},
    Suffix{"P", 1e15L},
    Suffix{"E", 1e18L},
    Suffix{"Ki", kKibi},
    Suffix{"Mi", kKibi* kKibi},
    Suffix{"Gi", kKibi* kKibi* kKibi},
    Suffix{"Ti", kKibi* kKibi* kKibi* kKibi},
    Suffix{"Pi", kKibi* kKibi* kKibi* kKibi* kKibi},
    Suffix{"Ei", kKibi* kKibi* kKibi* kKibi* kKibi* kKibi},
};

std::optional<long double> quantity(json::View value) {
  std::string text;
  if (auto number = value.number()) return static_cast<long double>(*number);
  text = value.string().value_or(std::string_view());
  if (!text.empty() && text.front() == '+') text.erase(0, 1);
  long double number = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) return std::nullopt;
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  auto suffix =
      std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const Suffix& known) { return known.text == rest; });
  if (suffix == kSuffixes.end()) return std::nullopt;
  return number * suffix->factor;
}

}  // namespace

bool is_quantity_field(std::string_view parent, std::string_view name) {
  return parent == "limits" || parent == "requests" || parent == "capacity" || parent == "overhead" ||
         parent == "hard" || name == "sizeLimit" || name == "divisor";
}

// 64 bits of mantissa hold every quantity that people write; what differs beyond them is equal for our purpose.
bool equal_quantities(json::View left, json::View right) {
  auto one = quantity(left);
  auto other = quantity(right);
  if (!one || !other) return false;
  return std::fabs(*one - *other) <= 1e-15L * std::max(std::fabs(*one), std::fabs(*other));
}

}  // namespace keelson::controller
