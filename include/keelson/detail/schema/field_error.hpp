// Errors of the fields of an object, with the reasons and texts of Kubernetes (apimachinery's package field).
//
// The text of an error is the field's path, then what is wrong, the value and the explanation, separated by colons:
// `spec.size: Invalid value: -1: should be greater than or equal to 0`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::limits {

// Reported field errors of an object: users fix the first few, and a list with a million bad entries must not cause a
// million texts.
inline constexpr std::size_t kFieldErrors = 100;

}  // namespace keelson::limits

namespace keelson::kube {

// The first four are those that a CEL rule of a CRD may have.
enum class FieldReason : std::uint8_t {
  kInvalid,
  kForbidden,
  kRequired,
  kDuplicate,
  kNotSupported,
  kNotFound,
  kTooLong,
  kTooMany,
  kTypeInvalid,
};

// "FieldValueInvalid", as in a Status; and the reason of such a name.
[[nodiscard]] std::string_view name_of(FieldReason reason);
[[nodiscard]] std::optional<FieldReason> field_reason(std::string_view name);

// A violated constraint, with the API server's texts. A Status has it as one of its `details.causes`.
struct FieldError {
  // `value` is the value as the text shows it, in quotes if it is a string. `why` of kNotSupported is the list of
  // supported values. The text has neither of them if it is empty.
  FieldError(FieldReason cause, std::string field, std::string_view value = {}, std::string_view why = {});
  // "Too many: 3: must have at most 2 items".
  [[nodiscard]] static FieldError too_many(std::string field, std::size_t count, std::int64_t most);
  // "Too long: may not be more than 5 bytes".
  [[nodiscard]] static FieldError too_long(std::string field, std::int64_t most);

  std::string path;    // "spec.conditions[1].type"
  FieldReason reason;  // FieldReason::kRequired
  std::string detail;  // "Invalid value: -1: should be greater than or equal to 0"

  // "spec.size: Invalid value: -1: should be greater than or equal to 0"
  [[nodiscard]] std::string message() const { return path + ": " + detail; }
  bool operator==(const FieldError&) const = default;
};

// The bytes of the errors in a Status: of the path and the detail of one, and of all together.
struct FieldErrorBytes {
  std::size_t each = std::string::npos;
  std::size_t all = std::string::npos;
};

// The text of all errors, as field.ErrorList.ToAggregate: each one once, in brackets if there are several. Those beyond
// the limit are counted: ", and 3 more".
[[nodiscard]] std::string all_messages(const std::vector<FieldError>& errors, FieldErrorBytes limit = {});
// The `details.causes` of a Status, as JSON; those beyond the limit are left out.
[[nodiscard]] std::string status_causes(const std::vector<FieldError>& errors, FieldErrorBytes limit = {});

}  // namespace keelson::kube
