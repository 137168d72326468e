// Whose request it is: the administrator's token is the only one that passes.
//
// Other requests get 401 as from kube-apiserver. Without any credentials /healthz, /livez, /readyz and /version can be
// read, as in a real cluster, where the role system:public-info-viewer allows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/net/http_server.hpp"

namespace keelson::sandbox_program {

// The user of the token; a member of system:masters.
inline constexpr const char* kAdministrator = "kubernetes-admin";

enum class Admission { kAdministrator, kPublic, kUnauthorized };
[[nodiscard]] Admission admit(const net::Request& request, const std::string& token);

// What a TokenReview answers; nothing for a token that is not the administrator's.
[[nodiscard]] std::optional<std::string> user_of(std::string_view given, const std::string& token);

// `handler` takes the bearer token of a request as its user, as sandbox::ApiServer's does; it sees kAdministrator.
[[nodiscard]] net::Handler authenticated(net::Handler handler, std::string token);

}  // namespace keelson::sandbox_program
