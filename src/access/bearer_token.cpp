#include "src/access/bearer_token.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/limits.hpp"

namespace keelson::access {

namespace {

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

}  // namespace

BearerToken bearer_token(const net::Headers& headers, std::string_view name) {
  using Found = BearerToken::Found;
  const auto value = base::trim(net::header(headers, name));
  const auto space = value.find(' ');
  if (space == std::string_view::npos || base::to_lower(value.substr(0, space)) != "bearer") return {};
  const auto rest = value.substr(space + 1);
  const auto token = rest.substr(0, rest.find(' '));
  if (token.empty()) return {};
  if (token.size() > limits::kBearerTokenBytes) return {Found::kTooLong, ""};
  if (!std::ranges::all_of(token, is_visible)) return {};
  return {Found::kToken, std::string(token)};
}

}  // namespace keelson::access
