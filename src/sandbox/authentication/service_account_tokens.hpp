// Issues tokens of ServiceAccounts, and accepts them as long as the objects that they are bound to exist.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/sandbox/user_info.hpp"
#include "keelson/detail/tls/signing_key.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// The issuer of all tokens, and the audience of tokens for this server.
inline constexpr const char* kTokenIssuer = "https://kubernetes.default.svc.cluster.local";

struct TokenOwner {
  UserInfo user;
  std::vector<std::string> audiences;  // the audiences of the token that are also in the request
};

class ServiceAccountTokens {
 public:
  // Without a key, the first token creates one.
  ServiceAccountTokens(World& world, std::optional<tls::SigningKey> key) : world_(world), key_(std::move(key)) {}
  ServiceAccountTokens(const ServiceAccountTokens&) = delete;
  ServiceAccountTokens& operator=(const ServiceAccountTokens&) = delete;

  // Adds the issuer to the claims.
  [[nodiscard]] Result<std::string> issue(Tree claims);

  // Whether the token claims this issuer.
  [[nodiscard]] static bool is_candidate(const std::string& token);
  // The error is the server's reason for rejecting the token. `audiences` empty: this server.
  [[nodiscard]] Result<TokenOwner> owner_of(const std::string& token, const std::vector<std::string>& audiences);

 private:
  [[nodiscard]] Result<Tree> verified_claims(const std::string& token);
  [[nodiscard]] std::optional<Error> check_objects(const Tree& claims) const;

  World& world_;
  std::optional<tls::SigningKey> key_;
  base::TextMap<std::string, Tree> verified_;  // tokens whose signature was verified, with their claims
};

}  // namespace keelson::sandbox
