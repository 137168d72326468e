#include "src/kubeconfig/impersonation.hpp"

#include "keelson/base/percent_encoding.hpp"

namespace keelson::kube {

namespace {

// Bytes of RFC 7230's token, except '%', which starts an escape.
bool is_plain(char c) {
  constexpr std::string_view kMarks = "!#$&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kMarks.find(c) != std::string_view::npos;
}

}  // namespace

void append_impersonation(net::Headers& headers, const Impersonation& as) {
  if (as.user.empty()) return;
  headers.emplace_back("Impersonate-User", as.user);
  if (!as.uid.empty()) headers.emplace_back("Impersonate-Uid", as.uid);
  for (const auto& group : as.groups) headers.emplace_back("Impersonate-Group", group);
  for (const auto& [key, values] : as.extra) {
    for (const auto& value : values)
      headers.emplace_back("Impersonate-Extra-" + base::percent_encode(key, is_plain), value);
  }
}

}  // namespace keelson::kube
