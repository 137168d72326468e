#include "keelson/base/percent_encoding.hpp"

namespace keelson::base {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.~").find(c) != std::string_view::npos;
}

void append_percent(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += kHex[byte >> 4];
  out += kHex[byte & 0xf];
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

}  // namespace keelson::base
