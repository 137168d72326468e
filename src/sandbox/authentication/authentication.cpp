#include "src/sandbox/authentication/authentication.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox {

namespace {

constexpr auto kPublicPaths = std::to_array<std::string_view>({"/healthz", "/livez", "/readyz", "/version"});

bool is_public(const net::Request& request) {
  auto path = std::string_view(request.target).substr(0, request.target.find('?'));
  return request.method == "GET" && std::ranges::find(kPublicPaths, path) != kPublicPaths.end();
}

}  // namespace

std::optional<UserInfo> user_of_request(const net::Request& request, const OwnerOfToken& owner_of_token,
                                        Anonymous anonymous) {
  constexpr std::string_view kBearer = "bearer ";
  auto credentials = net::header(request.headers, "Authorization");
  if (credentials.empty()) {
    const bool is_allowed = anonymous == Anonymous::kEverywhere || is_public(request);
    return is_allowed ? std::optional(user_named(kAnonymous)) : std::nullopt;
  }
  if (base::to_lower(credentials.substr(0, kBearer.size())) != kBearer) return std::nullopt;
  std::string token(base::trim(credentials.substr(kBearer.size())));
  return token.empty() ? std::nullopt : owner_of_token(token);
}

Authentication::Authentication(World& world, const ApiServerOptions& options)
    : tokens(world, options.token_key),
      world_(world),
      certificates_(options.client_authority ? options.client_authority->certificate_pem() : ""),
      known_(options.user_of_token) {
  const bool is_test = !known_;
  const bool has_roles = options.authorization == Authorization::kRbac;
  anonymous_ = is_test || has_roles ? Anonymous::kEverywhere : Anonymous::kPublicPaths;
}

std::optional<UserInfo> Authentication::user_of(const net::Request& request) {
  // A rejected certificate is ignored if the token is valid, and otherwise the user is not anonymous.
  bool has_rejected = false;
  if (request.client_certificates && certificates_.is_enabled()) {
    auto user = certificates_.user_of(*request.client_certificates, world_.clock.wall_now());
    if (user && !user->name.empty()) return std::move(*user);
    has_rejected = !user;
  }
  if (has_rejected && net::header(request.headers, "Authorization").empty()) return std::nullopt;
  auto owner_of_token = [this](const std::string& token) {
    auto owner = owner_of(token, {});
    return owner ? std::optional(std::move(owner->user)) : std::nullopt;
  };
  return user_of_request(request, owner_of_token, anonymous_);
}

Result<TokenOwner> Authentication::owner_of(const std::string& token, const std::vector<std::string>& audiences) {
  auto known = known_ ? known_(token) : std::nullopt;
  if (!known && ServiceAccountTokens::is_candidate(token)) {
    auto owner = tokens.owner_of(token, audiences);
    return owner ? std::move(owner) : invalid_error("[invalid bearer token, " + owner.error().text + "]");
  }
  if (!known && !known_ && !token.empty()) known = user_named(token);
  bool is_for_us = audiences.empty() || std::ranges::find(audiences, kTokenIssuer) != audiences.end();
  if (!known || !is_for_us) return invalid_error("invalid bearer token");
  return TokenOwner{std::move(*known), {kTokenIssuer}};
}

}  // namespace keelson::sandbox
