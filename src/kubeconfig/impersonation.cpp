#include "src/kubeconfig/impersonation.hpp"

namespace keelson::kube {

namespace {

// Bytes of RFC 7230's token, except '%', which starts an escape.
bool is_plain(char c) {
  constexpr std::string_view kMarks = "!#$&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kMarks.find(c) != std::string_view::npos;
}

std::string percent_escaped(std::string_view key) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (char c : key) {
    if (is_plain(c)) {
      out.push_back(c);
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kHex[byte >> 4]);
    out.push_back(kHex[byte & 15]);
  }
  return out;
}

}  // namespace

void append_impersonation(net::Headers& headers, const Impersonation& as) {
  if (as.user.empty()) return;
  headers.emplace_back("Impersonate-User", as.user);
  if (!as.uid.empty()) headers.emplace_back("Impersonate-Uid", as.uid);
  for (const auto& group : as.groups) headers.emplace_back("Impersonate-Group", group);
  for (const auto& [key, values] : as.extra) {
    for (const auto& value : values) headers.emplace_back("Impersonate-Extra-" + percent_escaped(key), value);
  }
}

}  // namespace keelson::kube
