// /sandbox/chaos: the administrator reads and sets what chaos the server makes, by GET and PUT.
#pragma once

#include "keelson/net/http_server.hpp"
#include "src/sandbox/endpoints.hpp"

namespace keelson::sandbox {

inline constexpr const char* kChaosPath = "/sandbox/chaos";

// Only members of system:masters may.
[[nodiscard]] Outcome answer_chaos(Endpoints& endpoints, const UserInfo& user, const net::Request& request);

}  // namespace keelson::sandbox
