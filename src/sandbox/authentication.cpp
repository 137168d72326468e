#include "src/sandbox/authentication.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "keelson/base/text.hpp"

namespace keelson::sandbox {

namespace {

constexpr auto kPublicPaths = std::to_array<std::string_view>({"/healthz", "/livez", "/readyz", "/version"});

bool is_public(const net::Request& request) {
  auto path = std::string_view(request.target).substr(0, request.target.find('?'));
  return request.method == "GET" && std::find(kPublicPaths.begin(), kPublicPaths.end(), path) != kPublicPaths.end();
}

}  // namespace

std::optional<UserInfo> user_of_request(const net::Request& request, const UserOfToken& user_of_token,
                                        bool has_anonymous) {
  constexpr std::string_view kBearer = "bearer ";
  auto credentials = net::header(request.headers, "Authorization");
  bool is_bearer = base::to_lower(credentials.substr(0, kBearer.size())) == kBearer;
  if (is_bearer) {
    std::string token(base::trim(credentials.substr(kBearer.size())));
    if (!user_of_token) return user_named(std::move(token));
    return token.empty() ? std::nullopt : user_of_token(token);
  }
  if (!credentials.empty() && user_of_token) return std::nullopt;
  if (user_of_token && !has_anonymous && !is_public(request)) return std::nullopt;
  return user_named(kAnonymous);
}

}  // namespace keelson::sandbox
