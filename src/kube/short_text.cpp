#include "keelson/kube/short_text.hpp"

namespace keelson::kube {

std::string short_text(std::string_view text) {
  if (text.size() <= kQuotedBytes) return std::string(text);
  auto end = kQuotedBytes;
  const auto is_inside_a_character = [&] { return (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U; };
  while (end > kQuotedBytes - 4 && is_inside_a_character()) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace keelson::kube
