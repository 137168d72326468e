#include "keelson/detail/base/percent_encoding.hpp"

#include "keelson/detail/base/hex.hpp"

namespace keelson::base {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.~").find(c) != std::string_view::npos;
}

void append_percent(std::string& out, char c) {
  out += '%';
  append_hex(out, static_cast<unsigned char>(c), 2, HexLetters::kUpper);
}

void append_query_part(std::string& out, std::string_view part) {
  for (char c : part) {
    if (is_unreserved(c)) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      append_percent(out, c);
    }
  }
}

}  // namespace

void append_path_segment(std::string& out, std::string_view segment) {
  constexpr std::string_view kAllowed = "$&+=:@";
  for (char c : segment) {
    if (is_unreserved(c) || kAllowed.find(c) != std::string_view::npos) {
      out += c;
    } else {
      append_percent(out, c);
    }
  }
}

std::string encode_query(const std::vector<std::pair<std::string, std::string>>& query) {
  std::string out;
  for (const auto& [name, value] : query) {
    if (!out.empty()) out += '&';
    append_query_part(out, name);
    out += '=';
    append_query_part(out, value);
  }
  return out;
}

std::string percent_encode(std::string_view text, bool (*is_plain)(char)) {
  std::string out;
  for (char c : text) {
    if (is_plain(c)) {
      out += c;
    } else {
      append_percent(out, c);
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
