// JSON Web Tokens with the algorithm ES256 (RFC 7519).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/detail/tls/signing_key.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// The value of `kid` in Kubernetes: the digest of the public key.
[[nodiscard]] std::string key_id(const tls::SigningKey& key);

[[nodiscard]] Result<std::string> make_jwt(const Tree& claims, const tls::SigningKey& key);

// The claims of a token, with any signature; nullopt if it is not a JWT.
[[nodiscard]] std::optional<Tree> read_jwt(std::string_view token);
// Whether this key signed the token.
[[nodiscard]] bool is_signed_by(std::string_view token, const tls::SigningKey& key);

}  // namespace keelson::sandbox
