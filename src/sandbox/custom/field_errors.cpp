#include "src/sandbox/custom/field_errors.hpp"

#include "keelson/detail/schema/limits.hpp"
#include "src/sandbox/custom/value_check.hpp"

namespace keelson::sandbox {

namespace {

std::string with_reason(std::string text, const std::string& why) { return why.empty() ? text : text + ": " + why; }

}  // namespace

bool FieldErrors::is_full() const { return errors_.size() >= limits::kFieldErrors; }

void FieldErrors::add(const char* type, const std::string& field, std::string text) {
  if (!is_full()) errors_.push_back({type, field, std::move(text)});
}

void FieldErrors::required(const std::string& field, const std::string& why) {
  add("FieldValueRequired", field, with_reason("Required value", why));
}

void FieldErrors::forbidden(const std::string& field, const std::string& why) {
  add("FieldValueForbidden", field, with_reason("Forbidden", why));
}

void FieldErrors::invalid(const std::string& field, const Tree& value, const std::string& why) {
  add("FieldValueInvalid", field, with_reason("Invalid value: " + printed_value(value), why));
}

void FieldErrors::unsupported(const std::string& field, const Tree& value, const std::string& supported) {
  add("FieldValueNotSupported", field,
      "Unsupported value: " + printed_value(value) + ": supported values: " + supported);
}

void FieldErrors::duplicate(const std::string& field, const Tree& value) {
  add("FieldValueDuplicate", field, "Duplicate value: " + printed_value(value));
}

void FieldErrors::too_many(const std::string& field, std::size_t count, std::size_t most) {
  add("FieldValueTooMany", field,
      "Too many: " + std::to_string(count) + ": must have at most " + std::to_string(most) + " items");
}

}  // namespace keelson::sandbox
