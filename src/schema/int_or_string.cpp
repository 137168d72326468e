#include "keelson/detail/schema/int_or_string.hpp"

#include <limits>

#include "keelson/detail/base/parse_number.hpp"

namespace keelson::kube {

Result<IntOrString> IntOrString::read(json::View view) {
  if (auto text = view.string()) return IntOrString(std::string(*text));
  auto number = view.integer();
  bool fits = number && *number >= std::numeric_limits<std::int32_t>::min() &&
              *number <= std::numeric_limits<std::int32_t>::max();
  if (!fits) return malformed_error("expected a string or a whole number of 32 bits");
  return IntOrString(static_cast<std::int32_t>(*number));
}

void IntOrString::write(json::Writer& writer) const {
  if (const auto* text = std::get_if<std::string>(&value_)) {
    writer.string(*text);
  } else {
    writer.integer(*std::get_if<std::int32_t>(&value_));
  }
}

std::int32_t IntOrString::number() const {
  if (const auto* number = std::get_if<std::int32_t>(&value_)) return *number;
  const auto& text = *std::get_if<std::string>(&value_);
  const bool has_plus = text.starts_with('+') && !text.starts_with("+-");
  return base::parse_number<std::int32_t>(std::string_view(text).substr(has_plus ? 1 : 0)).value_or(0);
}

std::string IntOrString::text() const {
  if (const auto* text = std::get_if<std::string>(&value_)) return *text;
  return std::to_string(*std::get_if<std::int32_t>(&value_));
}

}  // namespace keelson::kube
