// Finds the fields of a described struct that differ between two of its values.
#include "keelson/detail/schema/described_changes.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace keelson::kube {

namespace {

using Shape = Type::Shape;

template <class T>
bool same(const void* left, const void* right) {
  return *static_cast<const T*>(left) == *static_cast<const T*>(right);
}

bool equal(const Type& type, const void* left, const void* right);

bool equal_containers(const Type& type, const void* left, const void* right) {
  if (type.size(left) != type.size(right)) return false;
  // Elements can only be visited in order, so the elements of one side are collected; maps are sorted.
  std::vector<const void*> ours;
  std::vector<std::string_view> keys;
  ours.reserve(type.size(left));
  type.each(left, [&](std::string_view key, const void* element) {
    ours.push_back(element);
    if (type.shape == Shape::kMap) keys.push_back(key);
  });
  bool same_so_far = true;
  std::size_t place = 0;
  type.each(right, [&](std::string_view key, const void* element) {
    if (!same_so_far) return;
    const bool same_key = keys.empty() || keys[place] == key;
    same_so_far = same_key && equal(*type.element, ours[place], element);
    ++place;
  });
  return same_so_far;
}

bool equal(const Type& type, const void* left, const void* right) {
  switch (type.shape) {
    case Shape::kBool:
      return same<bool>(left, right);
    case Shape::kInt32:
      return same<std::int32_t>(left, right);
    case Shape::kInt64:
      return same<std::int64_t>(left, right);
    case Shape::kNumber:
      return same<double>(left, right);
    case Shape::kString:
      return same<std::string>(left, right);
    case Shape::kTime:
      return same<Time>(left, right);
    case Shape::kCustom:
      return type.custom->is_equal(left, right);
    case Shape::kRaw:
      return same<RawJson>(left, right);
    case Shape::kOptional:
    case Shape::kList:
    case Shape::kMap:
      return equal_containers(type, left, right);
    case Shape::kStruct:
      return std::ranges::all_of(type.fields()->fields(), [&](const Description::Field& field) {
        return equal(*field.type, static_cast<const char*>(left) + field.offset,
                     static_cast<const char*>(right) + field.offset);
      });
  }
  return false;
}

bool is_container(const Type& type) {
  if (type.shape == Shape::kOptional) return is_container(*type.element);
  return type.shape == Shape::kList || type.shape == Shape::kMap || type.shape == Shape::kStruct;
}

}  // namespace

bool DescribedChange::has_members() const { return is_container(*field_->type); }

bool DescribedChange::is_struct() const { return field_->type->shape == Shape::kStruct; }

std::vector<DescribedChange> DescribedChange::inner() const {
  return is_struct() ? described_changes(*field_->type, before_, after_) : std::vector<DescribedChange>();
}

std::optional<std::string> DescribedChange::encoded(const void* member) const {
  if (detail::is_left_out(*field_, member)) return std::nullopt;
  return detail::encode_text(*field_->type, member);
}

std::vector<DescribedChange> described_changes(const Type& type, const void* before, const void* after) {
  std::vector<DescribedChange> changes;
  for (const auto& field : type.fields()->fields()) {
    const auto* was = static_cast<const char*>(before) + field.offset;
    const auto* is = static_cast<const char*>(after) + field.offset;
    if (equal(*field.type, was, is)) continue;
    changes.emplace_back(field, was, is);
  }
  std::ranges::sort(changes, {}, &DescribedChange::name);
  return changes;
}

}  // namespace keelson::kube
