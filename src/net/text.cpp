#include "src/net/text.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"

namespace keelson::net {

namespace {
bool is_alphanumeric(char c) { return base::is_digit(c) || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z'); }
}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return base::to_lower(x) == base::to_lower(y); });
}

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  auto allowed = [&](char c) { return is_alphanumeric(c) || kMarks.find(c) != std::string_view::npos; };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_target(std::string_view text) {
  auto allowed = [](char c) { return c != ' ' && !base::is_control(c); };
  return std::ranges::all_of(text, allowed);
}

std::string join_host_port(std::string_view host, std::string_view port) {
  std::string joined;
  bool six = host.find(':') != std::string_view::npos;
  if (six) joined += '[';
  joined += host;
  if (six) joined += ']';
  joined += ':';
  joined += port;
  return joined;
}

}  // namespace keelson::net
