// Requests in the name of another user: Impersonate-User and the headers that go with it (`kubectl --as`).
#pragma once

#include <optional>

#include "keelson/net/http.hpp"
#include "src/sandbox/authorization/authorizer.hpp"
#include "src/sandbox/call.hpp"

namespace keelson::sandbox {

// Who the request is by: `requester`, or the user that it impersonates for this access. 403 if the requester may not,
// 400 for headers that name no user.
[[nodiscard]] Or<UserInfo> impersonated(const net::Headers& headers, UserInfo requester, const Access& access,
                                        Authorizer& authorizer);

}  // namespace keelson::sandbox
