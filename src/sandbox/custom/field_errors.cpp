#include "src/sandbox/custom/field_errors.hpp"

#include "src/sandbox/custom/value_check.hpp"

namespace keelson::sandbox {

namespace {
constexpr std::size_t kMostBytes = std::size_t{4} << 20;
}  // namespace

bool FieldErrors::is_full() const { return errors_.size() >= most_ || bytes_ >= kMostBytes; }

void FieldErrors::add(FieldError error) {
  if (is_full()) return;
  bytes_ += error.path.size() + error.detail.size();
  errors_.push_back(std::move(error));
}

void FieldErrors::required(const std::string& field, const std::string& why) {
  add({FieldReason::kRequired, field, {}, why});
}

void FieldErrors::forbidden(const std::string& field, const std::string& why) {
  add({FieldReason::kForbidden, field, {}, why});
}

void FieldErrors::invalid(const std::string& field, const Tree& value, const std::string& why) {
  add({FieldReason::kInvalid, field, printed_value(value), why});
}

void FieldErrors::unsupported(const std::string& field, const Tree& value, const std::string& supported) {
  add({FieldReason::kNotSupported, field, printed_value(value), supported});
}

void FieldErrors::duplicate(const std::string& field, const Tree& value) {
  add({FieldReason::kDuplicate, field, printed_value(value)});
}

}  // namespace keelson::sandbox
