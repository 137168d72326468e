#include "src/controller/quantity_equal.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "keelson/schema/quantity.hpp"

namespace keelson::controller {

namespace {

constexpr std::array<std::string_view, 5> kParents{"limits", "requests", "capacity", "overhead", "hard"};
constexpr std::array<std::string_view, 2> kMembers{"sizeLimit", "divisor"};

std::optional<kube::Quantity> quantity(json::View value) {
  std::string text(value.string().value_or(std::string_view()));
  if (value.is_number()) text = value.text();
  auto parsed = kube::Quantity::parse(text);
  if (!parsed) return std::nullopt;
  return *parsed;
}

}  // namespace

bool is_quantity_field(std::string_view parent, std::string_view name) {
  return std::find(kParents.begin(), kParents.end(), parent) != kParents.end() ||
         std::find(kMembers.begin(), kMembers.end(), name) != kMembers.end();
}

bool equal_quantities(json::View left, json::View right) {
  auto one = quantity(left);
  auto other = quantity(right);
  return one && other && *one == *other;
}

}  // namespace keelson::controller
