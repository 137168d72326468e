// What becomes of unknown fields, duplicate fields and values of a wrong type in a write: `fieldValidation`.
//
// Unknown and duplicate fields are dropped. With Ignore nothing is said of them, with Warn (the default) the answer has
// a warning for each, with Strict the write is refused. Wrong types are always refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/call.hpp"

namespace keelson::sandbox {

// The fields of one write, being read.
class FieldReading {
 public:
  explicit FieldReading(const Call& call) : call_(call) {}

  // Of a whole object, as it was sent.
  [[nodiscard]] std::optional<Refusal> read(Tree& object);
  // Of an object that a patch made.
  [[nodiscard]] std::optional<Refusal> read_patched(Tree& object);
  // Of what is to be applied, where unknown fields are errors whatever the call says.
  [[nodiscard]] std::optional<Refusal> read_applied(Tree& wish) const;

  // The answer with what there is to warn of.
  [[nodiscard]] Outcome with_warnings(Outcome outcome);

 private:
  [[nodiscard]] bool is_ignored() const { return call_.parameter("fieldValidation") == "Ignore"; }
  [[nodiscard]] bool is_strict() const { return call_.parameter("fieldValidation") == "Strict"; }
  [[nodiscard]] std::vector<std::string> duplicates() const;
  [[nodiscard]] Refusal refused_patch(const Tree& object, const std::string& why) const;

  const Call& call_;
  std::vector<std::string> warnings_;
};

// Of an object that the server changed by itself: unknown fields are dropped; the error says which value does not fit.
[[nodiscard]] std::optional<std::string> drop_unknown_fields(const ServedKind& kind, Tree& object);

// A fieldValidation that there is not.
[[nodiscard]] std::optional<FieldError> check_field_validation(const Call& call);

}  // namespace keelson::sandbox
