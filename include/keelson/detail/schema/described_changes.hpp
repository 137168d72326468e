// The fields of a described struct that differ between two of its values, such as before and after a defaulter.
//
// From them a mutating webhook makes its JSON patch without touching fields that the struct does not describe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/schema/describe.hpp"

namespace keelson::kube {

// One field that differs. Refers to both values, which must outlive it.
class DescribedChange {
 public:
  // `before` and `after` are the members, not the structs.
  DescribedChange(const Description::Field& field, const void* before, const void* after)
      : field_(&field), before_(before), after_(after) {}

  // The name in JSON.
  [[nodiscard]] std::string_view name() const { return field_->name; }
  // Whether the field is a list, a map or a struct: its JSON may have members that the description does not know.
  [[nodiscard]] bool has_members() const;
  // The differences within the field if it is a struct, but not an optional struct; otherwise empty.
  [[nodiscard]] std::vector<DescribedChange> inner() const;
  // Whether inner() has the details. An optional struct counts as a whole: it may have been added or removed.
  [[nodiscard]] bool is_struct() const;
  // The value as JSON; nullopt if encoding leaves the field out.
  [[nodiscard]] std::optional<std::string> before() const { return encoded(before_); }
  [[nodiscard]] std::optional<std::string> after() const { return encoded(after_); }

 private:
  [[nodiscard]] std::optional<std::string> encoded(const void* member) const;

  const Description::Field* field_;
  const void* before_;
  const void* after_;
};

// The fields of a struct that differ, sorted by name. `before` and `after` are values of `type` and must outlive the
// result.
[[nodiscard]] std::vector<DescribedChange> described_changes(const Type& type, const void* before, const void* after);

}  // namespace keelson::kube
