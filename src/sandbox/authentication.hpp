// Whose request over HTTP it is, by its bearer token.
#pragma once

#include <optional>

#include "keelson/net/http.hpp"
#include "src/sandbox/reviews.hpp"

namespace keelson::sandbox {

// Nothing: 401. Without any credentials it is system:anonymous, but only for /healthz, /livez, /readyz and /version
// unless `has_anonymous`, as kube-apiserver has it with authorization. Without `user_of_token` each token is the name
// of its user.
[[nodiscard]] std::optional<UserInfo> user_of_request(const net::Request& request, const UserOfToken& user_of_token,
                                                      bool has_anonymous);

}  // namespace keelson::sandbox
