// The credentials of a request in words, for the error of a 401: where they come from, and when they expire.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/detail/kubeconfig/exec_credential.hpp"

namespace keelson::kube {

// "exp" of a JSON Web Token, read without verification: the client does not know the issuer's key. nullopt if the token
// has none, or is not a JWT.
[[nodiscard]] std::optional<std::chrono::sys_seconds> expiry_of_token(std::string_view token);

// "the token of file \"/token\", which expired at 2026-01-02T15:04:05Z". `token` and `certificate_pem` are those that
// the client sends, `plugin` the credential of an exec plugin or null. The text contains no part of any of them.
[[nodiscard]] std::string credential_text(const ConnectionConfig& config, std::string_view token,
                                          const std::string& certificate_pem, const PluginCredential* plugin,
                                          async::WallTime now);

}  // namespace keelson::kube
