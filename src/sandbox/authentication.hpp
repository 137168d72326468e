// Whose request it is, by its bearer token: those that the program knows, and those of ServiceAccounts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "keelson/net/http.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "src/sandbox/tokens/service_account_tokens.hpp"

namespace keelson::sandbox {

// Whether requests without credentials are by system:anonymous, or get 401 but for /healthz, /livez, /readyz and
// /version.
enum class Anonymous { kEverywhere, kPublicPaths };

using OwnerOfToken = std::function<std::optional<UserInfo>(const std::string& token)>;

// Nothing: 401.
[[nodiscard]] std::optional<UserInfo> user_of_request(const net::Request& request, const OwnerOfToken& owner_of_token,
                                                      Anonymous anonymous);

class Authentication {
 public:
  Authentication(World& world, const ServerOptions& options);

  // Nothing: 401.
  [[nodiscard]] std::optional<UserInfo> user_of(const net::Request& request);
  // As a TokenReview answers: the error is for its status. `audiences` empty: this server.
  [[nodiscard]] Result<TokenOwner> owner_of(const std::string& token, const std::vector<std::string>& audiences);

  ServiceAccountTokens tokens;

 private:
  OwnerOfToken known_;  // null: every token is the name of its user
  Anonymous anonymous_;
};

}  // namespace keelson::sandbox
