#include "keelson/detail/webhook/request.hpp"

#include <cstddef>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/webhook/limits.hpp"

namespace keelson::webhook {

namespace {

constexpr int kForbidden = 403;
constexpr int kUnprocessable = 422;

}  // namespace

Decision Decision::deny(std::string message) { return fail(kForbidden, std::move(message)); }

Decision Decision::judge(std::vector<kube::FieldError> errors) {
  Decision decision;
  if (errors.empty()) return decision;
  decision.code_ = kUnprocessable;
  if (errors.size() > limits::kFieldErrors) {
    errors.erase(errors.begin() + std::ptrdiff_t{limits::kFieldErrors}, errors.end());
  }
  decision.errors_ = std::move(errors);
  return decision;
}

Decision Decision::fail(int code, std::string message) {
  KEELSON_ASSERT(code != kAllowed);
  Decision decision;
  decision.code_ = code;
  decision.message_ = std::move(message);
  return decision;
}

Decision& Decision::warn(std::string text) {
  if (warnings_.size() < limits::kAdmissionWarnings) warnings_.push_back(std::move(text));
  return *this;
}

}  // namespace keelson::webhook
