#include "src/sandbox/validation/immutable_fields.hpp"

#include <algorithm>

namespace keelson::sandbox {

namespace {

bool has_members_of(const Tree& one, const Tree& other) {
  return std::ranges::all_of(one.members(), [&other](const auto& member) {
    const Tree* same = other.find(member.first);
    return same != nullptr ? is_same(member.second, *same) : member.second.is_empty();
  });
}

}  // namespace

bool is_same(const Tree& had, const Tree& has) {
  if (had.is_empty() && has.is_empty()) return true;
  if (had.is_object() && has.is_object()) return has_members_of(had, has) && has_members_of(has, had);
  const bool are_lists = had.is_array() && has.is_array();
  return are_lists ? std::ranges::equal(had.items(), has.items(), is_same) : had == has;
}

FieldError immutable(std::string field, const Tree& value) {
  return {FieldReason::kInvalid, std::move(field), value.text(), "field is immutable"};
}

}  // namespace keelson::sandbox
