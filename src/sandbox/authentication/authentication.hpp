// The user of a request: that of its client certificate, or of its bearer token, which the program knows or which is
// that of a ServiceAccount.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/net/http.hpp"
#include "src/sandbox/authentication/client_certificates.hpp"
#include "src/sandbox/authentication/service_account_tokens.hpp"

namespace keelson::sandbox {

// The paths on which a request without credentials has the user system:anonymous; on others it gets 401. The public
// paths are /healthz, /livez, /readyz and /version.
enum class Anonymous { kEverywhere, kPublicPaths };

using OwnerOfToken = std::function<std::optional<UserInfo>(const std::string& token)>;

// Nullopt: the request gets 401.
[[nodiscard]] std::optional<UserInfo> user_of_request(const net::Request& request, const OwnerOfToken& owner_of_token,
                                                      Anonymous anonymous);

class Authentication {
 public:
  Authentication(World& world, const ApiServerOptions& options);

  // Nullopt: the request gets 401.
  [[nodiscard]] std::optional<UserInfo> user_of(const net::Request& request);
  // The result of a TokenReview; an error goes into its status. `audiences` empty: this server.
  [[nodiscard]] Result<TokenOwner> owner_of(const std::string& token, const std::vector<std::string>& audiences);

  ServiceAccountTokens tokens;

 private:
  World& world_;
  ClientCertificates certificates_;
  OwnerOfToken known_;  // null: every token is the name of its user
  Anonymous anonymous_;
};

}  // namespace keelson::sandbox
