#include "keelson/webhook/field_errors.hpp"

#include "keelson/detail/schema/short_text.hpp"

namespace keelson::webhook {

using kube::FieldReason;

kube::FieldError invalid_value(std::string_view path, std::string_view value, std::string_view why) {
  return {FieldReason::kInvalid, std::string(path), kube::short_quote(value), why};
}

kube::FieldError invalid_number(std::string_view path, std::int64_t value, std::string_view why) {
  return {FieldReason::kInvalid, std::string(path), std::to_string(value), why};
}

kube::FieldError required_value(std::string_view path, std::string_view why) {
  return {FieldReason::kRequired, std::string(path), {}, why};
}

kube::FieldError forbidden_value(std::string_view path, std::string_view why) {
  return {FieldReason::kForbidden, std::string(path), {}, why};
}

kube::FieldError duplicate_value(std::string_view path, std::string_view value) {
  return {FieldReason::kDuplicate, std::string(path), kube::short_quote(value)};
}

kube::FieldError unsupported_value(std::string_view path, std::string_view value,
                                   const std::vector<std::string_view>& supported) {
  std::string listed;
  for (const auto choice : supported) listed += (listed.empty() ? "" : ", ") + kube::short_quote(choice);
  return {FieldReason::kNotSupported, std::string(path), kube::short_quote(value), listed};
}

}  // namespace keelson::webhook
