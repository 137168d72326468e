// Tokens of ServiceAccounts: issued, and recognized for as long as what they are bound to exists.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "keelson/net/signing_key.hpp"
#include "keelson/sandbox/user_info.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

// The issuer of all tokens, and the audience of those that are for this server.
inline constexpr const char* kTokenIssuer = "https://kubernetes.default.svc.cluster.local";

struct TokenOwner {
  UserInfo user;
  std::vector<std::string> audiences;  // those that the token and the question have in common
};

class ServiceAccountTokens {
 public:
  // Without a key a new one is made with the first token.
  ServiceAccountTokens(World& world, std::optional<net::SigningKey> key) : world_(world), key_(std::move(key)) {}
  ServiceAccountTokens(const ServiceAccountTokens&) = delete;
  ServiceAccountTokens& operator=(const ServiceAccountTokens&) = delete;

  // The issuer is added to the claims.
  [[nodiscard]] Result<std::string> issue(Tree claims);

  // A token that says that it is by this issuer.
  [[nodiscard]] static bool is_candidate(const std::string& token);
  // The error says why it is not valid, in the server's words. `audiences` empty: this server.
  [[nodiscard]] Result<TokenOwner> owner_of(const std::string& token, const std::vector<std::string>& audiences);

 private:
  [[nodiscard]] Result<Tree> verified_claims(const std::string& token);
  [[nodiscard]] std::optional<Error> check_objects(const Tree& claims) const;

  World& world_;
  std::optional<net::SigningKey> key_;
  std::unordered_map<std::string, Tree> verified_;  // tokens whose signature was checked, with their claims
};

}  // namespace keelson::sandbox
