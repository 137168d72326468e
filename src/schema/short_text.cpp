#include "keelson/schema/short_text.hpp"

#include "keelson/base/go_text.hpp"

namespace keelson::kube {

std::string short_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  auto end = limit;
  const auto is_inside_a_character = [&] { return (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U; };
  while (end > 0 && limit - end < 4 && is_inside_a_character()) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string short_quote(std::string_view text) { return base::quote_go(short_text(text)); }

}  // namespace keelson::kube
