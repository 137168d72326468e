#include "src/kubeconfig/proxy_url.hpp"

#include <algorithm>
#include <cctype>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::kube {

namespace {

constexpr std::string_view kAuthorityMark = "//";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// The scheme before the first ':' in lower case; empty if the URL has none.
std::string scheme_of(std::string_view url) {
  auto scheme = url.substr(0, url.find(':'));
  bool has_scheme = scheme.size() < url.size() && !scheme.empty() && is_letter(scheme.front()) &&
                    std::ranges::all_of(scheme, [](char c) {
                      return is_letter(c) || base::is_digit(c) || c == '+' || c == '-' || c == '.';
                    });
  if (!has_scheme) return {};
  return base::to_lower(scheme);
}

// "user:password@host:port" of a URL with "//"; otherwise empty.
std::string_view authority_of(std::string_view url) {
  auto mark = url.find(kAuthorityMark);
  if (mark == std::string_view::npos) return {};
  auto authority = url.substr(mark + kAuthorityMark.size());
  return authority.substr(0, authority.find_first_of("/?#"));
}

bool has_valid_port(std::string_view authority) {
  auto host = authority.substr(authority.rfind('@') + 1);  // npos + 1 is the beginning
  auto after_address = host.rfind(']');
  auto colon = host.find(':', after_address == std::string_view::npos ? 0 : after_address);
  if (colon == std::string_view::npos) return true;
  auto port = host.substr(colon + 1);
  return std::ranges::all_of(port, base::is_digit);
}

bool is_parsable(std::string_view url) {
  if (std::ranges::any_of(url, base::is_control)) return false;
  if (scheme_of(url).empty()) return url.substr(0, url.find('/')).find(':') == std::string_view::npos;
  auto authority = authority_of(url);
  return has_valid_port(authority) && authority.find(' ') == std::string_view::npos;
}

}  // namespace

std::optional<std::string> proxy_url_problem(std::string_view url) {
  if (url.empty()) return std::nullopt;
  auto mark = std::min(url.find(kAuthorityMark), url.size());
  auto end = url.find_first_of("/?#", std::min(mark + kAuthorityMark.size(), url.size()));
  // The error has no part of the URL: the password is not where redacted_url() expects it.
  if (end != std::string_view::npos && url.find('@', end) != std::string_view::npos) {
    return "encode / ? # in a password as %2F %3F %23";
  }
  if (!is_parsable(url)) return "could not parse: " + redacted_url(url);
  auto scheme = scheme_of(url);
  if (scheme == "http" || scheme == "https" || scheme == "socks5") return std::nullopt;
  return "unsupported scheme " + base::quote_go(scheme) + ", must be http, https, or socks5";
}

std::optional<std::string_view> userinfo_of(std::string_view url) {
  auto authority = authority_of(url);
  auto at = authority.rfind('@');
  if (at == std::string_view::npos) return std::nullopt;
  return authority.substr(0, at);
}

std::string redacted_url(std::string_view url) {
  // This includes texts that are not URLs: everything before an '@' may be a password.
  auto at = url.rfind('@');
  if (at == std::string_view::npos) return std::string(url);
  auto mark = url.find(kAuthorityMark);
  auto start = mark == std::string_view::npos || mark > at ? 0 : mark + kAuthorityMark.size();
  auto user = url.substr(start, at - start);
  auto colon = user.find(':');
  auto shown = colon == std::string_view::npos ? std::string(user) : std::string(user.substr(0, colon)) + ":xxxxx";
  return std::string(url.substr(0, start)) + shown + std::string(url.substr(at));
}

}  // namespace keelson::kube
