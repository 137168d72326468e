// The handling of unknown fields, duplicate fields and values of a wrong type in a write: `fieldValidation`.
//
// Unknown and duplicate fields are dropped. With Ignore they are not reported, with Warn (the default) the response has
// a warning for each, and with Strict the write is rejected. Wrong types are always rejected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// The field validation of a single write.
class FieldReading {
 public:
  explicit FieldReading(const Call& call) : call_(call) {}

  // Validates a whole object, as the client sent it.
  [[nodiscard]] RejectionOr<void> read(Tree& object);
  // Validates an object that results from a patch.
  [[nodiscard]] RejectionOr<void> read_patched(Tree& object);
  // Validates an object to apply, in which unknown fields are errors whatever the call's fieldValidation.
  [[nodiscard]] RejectionOr<void> read_applied(Tree& applied) const;

  // The response with the warnings added.
  [[nodiscard]] RejectionOr<Answer> with_warnings(RejectionOr<Answer> outcome);

 private:
  [[nodiscard]] bool is_ignored() const { return call_.parameter("fieldValidation") == "Ignore"; }
  [[nodiscard]] bool is_strict() const { return call_.parameter("fieldValidation") == "Strict"; }
  [[nodiscard]] std::vector<std::string> duplicates() const;
  [[nodiscard]] Rejection rejected_patch(const Tree& object, const std::string& why) const;

  const Call& call_;
  std::vector<std::string> warnings_;
};

// For an object that the server itself changed: unknown fields are dropped; the error names a value of a wrong type.
[[nodiscard]] std::optional<std::string> drop_unknown_fields(const ServedKind& kind, Tree& object);

// The rejection of an unknown fieldValidation.
[[nodiscard]] std::optional<FieldError> check_field_validation(const Call& call);

}  // namespace keelson::sandbox
