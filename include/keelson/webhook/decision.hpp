// What a webhook answers: allowed, or denied in one of the ways that users of kubectl know; with warnings.
#pragma once

#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/kube/describe.hpp"

namespace keelson::webhook {

class Decision {
 public:
  // Denied as by deny(), with the error's text: `if (!limit) co_return limit.error();`.
  // NOLINTNEXTLINE(google-explicit-constructor): an error is returned as the decision
  Decision(const Error& error) : Decision(deny(error.message())) {}
  [[nodiscard]] static Decision allow() { return Decision{}; }
  // 403 Forbidden, as the plain error of a Go validator.
  [[nodiscard]] static Decision deny(std::string message);
  // 422 Invalid with a cause for each field, as apierrors.NewInvalid; no errors: allowed. At most
  // limits::kFieldErrors are told, in their order (name before spec).
  [[nodiscard]] static Decision judge(std::vector<kube::FieldError> errors);
  // Denied with a code of one's own: 500 for what could not be found out.
  [[nodiscard]] static Decision fail(int code, std::string message);

  // Shown by kubectl as "Warning: …", whether allowed or not; at most limits::kAdmissionWarnings.
  Decision& warn(std::string text);

  [[nodiscard]] bool is_allowed() const { return code_ == kAllowed; }
  [[nodiscard]] int code() const { return code_; }
  // Empty for an Invalid, whose text comes from its errors and the object's name.
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const std::vector<kube::FieldError>& errors() const { return errors_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Decision() = default;
  static constexpr int kAllowed = 200;
  int code_ = kAllowed;
  std::string message_;
  std::vector<kube::FieldError> errors_;
  std::vector<std::string> warnings_;
};

}  // namespace keelson::webhook
