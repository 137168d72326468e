// The answer of a webhook: the write is allowed or denied, with warnings for the user.
//
// Example (test/examples/webhook.cpp#decision):
//   webhook::Decision review_color(const std::string& color, const Result<int>& limit) {
//     if (!limit) return limit.error();  // denied with 403 and the text of the Error
//     if (!color.empty()) return webhook::Decision::allow().warn("spec.color is deprecated");
//     return webhook::Decision::allow();
//   }
//
// A denial has the code and the form of the API server's own errors, so that clients show it as usual.
#pragma once

#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/schema/describe.hpp"

namespace keelson::webhook {

class Decision {
 public:
  // A denial as by deny(), with the error's text.
  // NOLINTNEXTLINE(google-explicit-constructor): an Error is returned as the decision
  Decision(const Error& error) : Decision(deny(error.message())) {}
  [[nodiscard]] static Decision allow() { return Decision{}; }
  // A denial with 403 Forbidden, as for a plain error of a Go validator.
  [[nodiscard]] static Decision deny(std::string message);
  // A denial with 422 Invalid and a cause for each field (field_errors.hpp), as apierrors.NewInvalid; without errors
  // the write is allowed. At most limits::kFieldErrors errors are reported, in their order: put metadata before spec.
  [[nodiscard]] static Decision judge(std::vector<kube::FieldError> errors);
  // A denial with another code, which must not be 200 (asserted): 500 if the decision needs data that could not be
  // read.
  [[nodiscard]] static Decision fail(int code, std::string message);

  // Adds a warning, which kubectl shows as "Warning: …" for allowed and denied writes. At most
  // limits::kAdmissionWarnings; further ones are dropped. The API server shows 4096 bytes of them in total.
  Decision& warn(std::string text);

  [[nodiscard]] bool is_allowed() const { return code_ == kAllowed; }
  [[nodiscard]] int code() const { return code_; }
  // Empty for an Invalid: the server composes its text from the errors and the object's name.
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
