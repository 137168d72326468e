#include "keelson/detail/base/percent_encoding.hpp"

#include <algorithm>

#include "keelson/detail/base/hex.hpp"

namespace keelson::base {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.~").find(c) != std::string_view::npos;
}

std::string query_part(std::string_view part) {
  auto encoded = percent_encode(part, [](char c) { return is_unreserved(c) || c == ' '; });
  std::ranges::replace(encoded, ' ', '+');
  return encoded;
}

}  // namespace

void append_path_segment(std::string& out, std::string_view segment) {
  out += percent_encode(
      segment, [](char c) { return is_unreserved(c) || std::string_view("$&+=:@").find(c) != std::string_view::npos; });
}

std::string encode_path(std::string_view path) {
  return percent_encode(
      path, [](char c) { return is_unreserved(c) || std::string_view("$&+,/:;=@").find(c) != std::string_view::npos; });
}

std::string encode_query(const std::vector<std::pair<std::string, std::string>>& query) {
  std::string out;
  for (const auto& [name, value] : query) {
    if (!out.empty()) out += '&';
    out += query_part(name) + '=' + query_part(value);
  }
  return out;
}

std::string percent_encode(std::string_view text, bool (*is_plain)(char)) {
  std::string out;
  for (char c : text) {
    if (is_plain(c)) {
      out += c;
    } else {
      out += '%';
      append_hex(out, static_cast<unsigned char>(c), 2, HexLetters::kUpper);
    }
  }
  return out;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || hex_value(text[i + 1]) < 0 || hex_value(text[i + 2]) < 0) return std::nullopt;
    out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
    i += 2;
  }
  return out;
}

}  // namespace keelson::base
