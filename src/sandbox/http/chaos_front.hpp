// /sandbox/chaos: administrators read and set the injected failures, by GET and PUT.
#pragma once

#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/endpoints.hpp"

namespace keelson::sandbox {

inline constexpr const char* kChaosPath = "/sandbox/chaos";

// Only for members of system:masters.
[[nodiscard]] RejectionOr<Answer> answer_chaos(Endpoints& endpoints, const UserInfo& user, const net::Request& request);

}  // namespace keelson::sandbox
