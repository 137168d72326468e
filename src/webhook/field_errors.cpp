#include "keelson/webhook/field_errors.hpp"

#include "keelson/detail/schema/short_text.hpp"

namespace keelson::webhook {

namespace {

kube::FieldError error_at(std::string_view path, std::string_view reason, std::string detail) {
  return {std::string(path), std::string(reason), std::move(detail)};
}

std::string reasoned(std::string detail, std::string_view why) {
  if (!why.empty()) detail += ": " + std::string(why);
  return detail;
}

}  // namespace

kube::FieldError invalid_value(std::string_view path, std::string_view value, std::string_view why) {
  return error_at(path, "FieldValueInvalid", reasoned("Invalid value: " + kube::short_quote(value), why));
}

kube::FieldError invalid_number(std::string_view path, std::int64_t value, std::string_view why) {
  return error_at(path, "FieldValueInvalid", reasoned("Invalid value: " + std::to_string(value), why));
}

kube::FieldError required_value(std::string_view path, std::string_view why) {
  return error_at(path, "FieldValueRequired", reasoned("Required value", why));
}

kube::FieldError forbidden_value(std::string_view path, std::string_view why) {
  return error_at(path, "FieldValueForbidden", reasoned("Forbidden", why));
}

kube::FieldError duplicate_value(std::string_view path, std::string_view value) {
  return error_at(path, "FieldValueDuplicate", "Duplicate value: " + kube::short_quote(value));
}

kube::FieldError unsupported_value(std::string_view path, std::string_view value,
                                   const std::vector<std::string_view>& supported) {
  std::string listed;
  for (const auto choice : supported) listed += (listed.empty() ? "" : ", ") + kube::short_quote(choice);
  return error_at(path, "FieldValueNotSupported",
                  "Unsupported value: " + kube::short_quote(value) + ": supported values: " + listed);
}

}  // namespace keelson::webhook
