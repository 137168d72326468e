#include "keelson/schema/int_or_string.hpp"

#include <charconv>
#include <limits>

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
  const char* first = text.data() + (text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  const char* last = text.data() + text.size();
  std::int32_t parsed = 0;
  auto [end, error] = std::from_chars(first, last, parsed);
  return error == std::errc() && end == last ? parsed : 0;
}

std::string IntOrString::text() const {
  if (const auto* text = std::get_if<std::string>(&value_)) return *text;
  return std::to_string(*std::get_if<std::int32_t>(&value_));
}

}  // namespace keelson::kube
