// The fields of a described struct that differ between two values of it: what a defaulter changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/describe.hpp"

namespace keelson::kube {

class FieldChange {
 public:
  FieldChange(const Description::Field& field, const void* before, const void* after)
      : field_(&field), before_(before), after_(after) {}

  [[nodiscard]] std::string_view name() const { return field_->name; }
  // It is a list, a map or a struct, of which the description may not know all.
  [[nodiscard]] bool has_members() const;
  // What differs within the field if it is a struct (not an optional one); otherwise empty.
  [[nodiscard]] std::vector<FieldChange> inner() const;
  [[nodiscard]] bool is_struct() const;
  // As JSON; nothing when encoding leaves the field out.
  [[nodiscard]] std::optional<std::string> before() const { return encoded(before_); }
  [[nodiscard]] std::optional<std::string> after() const { return encoded(after_); }

 private:
  [[nodiscard]] std::optional<std::string> encoded(const void* member) const;

  const Description::Field* field_;
  const void* before_;
  const void* after_;
};

// Sorted by name. `type` is a struct, `before` and `after` are values of it, which must outlive the result.
[[nodiscard]] std::vector<FieldChange> changed_fields(const Type& type, const void* before, const void* after);

}  // namespace keelson::kube
