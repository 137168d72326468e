// Compares the actual with the desired state as the API server would merge them: by list-map keys and by value.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/json/member_index.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/controller/child.hpp"
#include "src/controller/field_rules.hpp"
#include "src/controller/list_keys.hpp"
#include "src/controller/managed_field.hpp"

namespace keelson::controller {

namespace {

bool covers_under(std::string_view parent, std::string_view name, json::View actual, json::View wanted,
                  ManagedField& difference);

constexpr std::array<std::string_view, 5> kParents{"limits", "requests", "capacity", "overhead", "hard"};
constexpr std::array<std::string_view, 2> kMembers{"sizeLimit", "divisor"};

// Limits and requests of all kinds, sizeLimit, …
bool is_quantity_field(std::string_view parent, std::string_view name) {
  return std::ranges::find(kParents, parent) != kParents.end() || std::ranges::find(kMembers, name) != kMembers.end();
}

std::optional<kube::Quantity> quantity(json::View value) {
  std::string text(value.string().value_or(std::string_view()));
  if (value.is_number()) text = value.text();
  auto parsed = kube::Quantity::parse(text);
  if (!parsed) return std::nullopt;
  return *parsed;
}

// The API server rewrites quantities into their canonical form: "1000m" comes back as "1".
bool equal_quantities(json::View left, json::View right) {
  auto one = quantity(left);
  auto other = quantity(right);
  return one && other && *one == *other;
}

// Go's zero values: an object whose type says `omitempty` comes back without them.
bool is_empty(json::View value) {
  if (!value.has_value()) return true;
  if (value.is_object() || value.is_array()) return value.size() == 0;
  if (auto text = value.string()) return text->empty();
  if (auto flag = value.boolean()) return !*flag;
  auto number = value.number();
  return number && *number == 0;
}

bool is_empty_container(json::View value) {
  return !value.has_value() || ((value.is_object() || value.is_array()) && value.size() == 0);
}

// Entry by entry in both directions; only lists and objects may be absent where they are empty.
bool is_same(json::View actual, json::View wanted) {
  if (is_empty_container(wanted)) return is_empty_container(actual);
  if (wanted.is_array()) {
    if (actual.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!is_same(actual.item(i), wanted.item(i))) return false;
    }
    return true;
  }
  if (!wanted.is_object()) return json::equal(actual, wanted);
  const json::MemberIndex actual_members(actual);
  for (const auto& [member, value] : wanted.members()) {
    if (!is_same(actual_members.find(member), value)) return false;
  }
  const json::MemberIndex wanted_members(wanted);
  for (const auto& [member, value] : actual.members()) {
    if (!wanted_members.find(member).has_value() && !is_empty_container(value)) return false;
  }
  return true;
}

// The functions below return false at the first field that differs. Then each of them adds its step to `difference`.
bool covers_members(std::string_view name, json::View actual, json::View wanted, ManagedField& difference) {
  if (!actual.is_object()) return false;
  const json::MemberIndex members(actual);
  for (const auto& [member, value] : wanted.members()) {
    if (covers_under(name, member, members.find(member), value, difference)) continue;
    difference.prepend_member(member);
    return false;
  }
  return true;
}

bool covers_keyed(std::string_view name, const ListKey& key, json::View actual, json::View wanted,
                  ManagedField& difference) {
  const ItemIndex candidates(actual, &key);
  for (json::View item : wanted.items()) {
    const auto found = candidates.find(item);
    if (found.has_value() && covers_members(name, found, item, difference)) continue;
    difference.prepend_item(key, found.has_value() ? found : item);
    return false;
  }
  return true;
}

bool covers_one_by_one(std::string_view parent, std::string_view name, json::View actual, json::View wanted,
                       ManagedField& difference) {
  if (actual.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (covers_under(parent, name, actual.item(i), wanted.item(i), difference)) continue;
    difference.prepend_item(i);
    return false;
  }
  return true;
}

// Lists that are sets may have entries of other owners.
bool covers_set(json::View actual, json::View wanted) {
  const ItemIndex entries(actual, nullptr);
  const auto items = wanted.items();
  return std::ranges::all_of(items, [&](json::View item) { return !entries.find(item).is_absent(); });
}

bool covers_list(std::string_view parent, std::string_view name, json::View actual, json::View wanted,
                 ManagedField& difference) {
  if (!actual.is_array()) return false;
  if (name == "finalizers") return covers_set(actual, wanted);
  if (const ListKey* key = list_key(name, wanted)) return covers_keyed(name, *key, actual, wanted, difference);
  return covers_one_by_one(parent, name, actual, wanted, difference);
}

bool covers_under(std::string_view parent, std::string_view name, json::View actual, json::View wanted,
                  ManagedField& difference) {
  if (!actual.has_value()) return may_be_absent(parent, name, wanted);
  if (wanted.is_null()) return is_empty(actual);
  if (is_atomic_map(parent, name, wanted)) return is_same(actual, wanted);
  if (wanted.is_object()) return covers_members(name, actual, wanted, difference);
  if (wanted.is_array()) return covers_list(parent, name, actual, wanted, difference);
  return json::equal(actual, wanted) || (is_quantity_field(parent, name) && equal_quantities(actual, wanted)) ||
         is_default_of_empty(parent, name, actual, wanted);
}

}  // namespace

bool covers(json::View actual, json::View wanted) { return !first_difference(actual, wanted); }

std::optional<ManagedField> first_difference(json::View actual, json::View wanted) {
  ManagedField difference;
  if (covers_under({}, {}, actual, wanted, difference)) return std::nullopt;
  return difference;
}

}  // namespace keelson::controller
