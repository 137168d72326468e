// The handling of unknown fields, duplicate fields and values of a wrong type in a write: `fieldValidation`.
//
// Unknown and duplicate fields are dropped. With Ignore they are not reported, with Warn (the default) the response has
// a warning for each, and with Strict the write is rejected. Wrong types are always rejected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/fields/managed_fields.hpp"
#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// A JSON patch that cannot be applied.
[[nodiscard]] Rejection unprocessable_patch();

// The field validation of a single write.
class FieldReading {
 public:
  explicit FieldReading(const Call& call) : call_(call) {}

  // Validates a whole object, as the client sent it.
  [[nodiscard]] RejectionOr<void> read(Tree& object);
  // Validates an object that results from a patch of `live`.
  [[nodiscard]] RejectionOr<void> read_patched(Tree& object, const Tree& live, const Managers& managers);
  // Validates an object to apply, in which unknown fields are errors whatever the call's fieldValidation.
  [[nodiscard]] RejectionOr<void> check_applied(const Tree& applied) const;
  // Reports the repeated keys of an applied object.
  [[nodiscard]] RejectionOr<void> check_repeated_keys();
  // Validates an object after `applied` was merged into it.
  [[nodiscard]] RejectionOr<void> read_merged(Tree& object, const Tree& applied) const;

  // The response or rejection with the warnings added.
  [[nodiscard]] RejectionOr<Answer> with_warnings(RejectionOr<Answer> outcome);

 private:
  [[nodiscard]] bool is_ignored() const { return call_.parameter("fieldValidation") == "Ignore"; }
  [[nodiscard]] bool is_strict() const { return call_.parameter("fieldValidation") == "Strict"; }
  [[nodiscard]] bool is_reported() const { return is_strict() || call_.hears_warnings; }
  [[nodiscard]] std::vector<std::string> duplicates() const;
  [[nodiscard]] std::string applied_object(const Tree& object) const;
  [[nodiscard]] Tree patched_as_go(const Tree& live, const Managers& managers) const;
  [[nodiscard]] Rejection rejected_patch(const Tree& object, const std::string& why) const;

  const Call& call_;
  std::vector<std::string> warnings_;
};

// For an object that the server itself changed: unknown fields are dropped; the error names a value of a wrong type.
[[nodiscard]] std::optional<std::string> drop_unknown_fields(const ServedKind& kind, Tree& object);

}  // namespace keelson::sandbox
