// Which fields of a described struct differ between two of its values.
#include <algorithm>
#include <string>
#include <vector>

#include "keelson/kube/described_changes.hpp"

namespace keelson::kube {

namespace {

using Shape = Type::Shape;

struct Element {
  std::string_view key;
  const void* value;
};

std::vector<Element> elements_of(const Type& type, const void* value) {
  std::vector<Element> elements;
  elements.reserve(type.size(value));
  type.each(value, [&](std::string_view key, const void* element) { elements.push_back({key, element}); });
  return elements;
}

template <class T>
bool same(const void* left, const void* right) {
  return *static_cast<const T*>(left) == *static_cast<const T*>(right);
}

bool equal(const Type& type, const void* left, const void* right);

bool equal_containers(const Type& type, const void* left, const void* right) {
  if (type.size(left) != type.size(right)) return false;
  const auto ours = elements_of(type, left);
  const auto theirs = elements_of(type, right);
  return std::ranges::equal(ours, theirs, [&](const Element& a, const Element& b) {
    return a.key == b.key && equal(*type.element, a.value, b.value);
  });
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
      return same<DescribedTime>(left, right);
    case Shape::kRaw:
      return same<RawJson>(left, right);
    case Shape::kOptional:
    case Shape::kList:
    case Shape::kMap:
      return equal_containers(type, left, right);
    case Shape::kStruct:
      return std::ranges::all_of(type.fields->fields(), [&](const Description::Field& field) {
        return equal(*field.type, static_cast<const char*>(left) + field.offset,
                     static_cast<const char*>(right) + field.offset);
      });
  }
  return false;
}

bool has_members(const Type& type) {
  if (type.shape == Shape::kOptional) return has_members(*type.element);
  return type.shape == Shape::kList || type.shape == Shape::kMap || type.shape == Shape::kStruct;
}

std::optional<std::string> written(const Description::Field& field, const void* object) {
  const void* member = static_cast<const char*>(object) + field.offset;
  if (!field.constraints.rules().required && detail::is_empty(*field.type, member)) return std::nullopt;
  json::Writer writer;
  detail::encode_value(writer, *field.type, member);
  return std::move(writer).take();
}

}  // namespace

std::vector<FieldChange> changed_fields(const Type& type, const void* before, const void* after) {
  std::vector<FieldChange> changes;
  for (const auto& field : type.fields->fields()) {
    const auto* was = static_cast<const char*>(before) + field.offset;
    const auto* is = static_cast<const char*>(after) + field.offset;
    if (equal(*field.type, was, is)) continue;
    FieldChange change{field.name, has_members(*field.type), written(field, before), written(field, after)};
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  std::ranges::sort(changes, {}, &FieldChange::name);
  return changes;
}

}  // namespace keelson::kube
