#include "src/kube/go_text.hpp"

#include <algorithm>

namespace keelson::kube {

namespace {

void append_quoted(std::string& out, char c) {
  constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\"\\";
  constexpr std::string_view kNames = "abfnrtv\"\\";
  constexpr std::string_view kHex = "0123456789abcdef";
  auto byte = static_cast<unsigned char>(c);
  if (auto named = kNamed.find(c); named != std::string_view::npos) {
    out.push_back('\\');
    out.push_back(kNames[named]);
  } else if (byte < 0x20 || byte == 0x7f) {
    out.append("\\x").push_back(kHex[byte >> 4]);
    out.push_back(kHex[byte & 15]);
  } else {
    out.push_back(c);
  }
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) append_quoted(out, c);
  return out + "\"";
}

std::string aggregated(const std::vector<std::string>& messages) {
  std::vector<std::string> distinct;
  for (const auto& message : messages) {
    if (std::find(distinct.begin(), distinct.end(), message) == distinct.end()) distinct.push_back(message);
  }
  if (distinct.size() == 1) return distinct.front();
  std::string out = "[";
  for (const auto& message : distinct) out += (out.size() > 1 ? ", " : "") + message;
  return out + "]";
}

}  // namespace keelson::kube
