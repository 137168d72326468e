// Requests on behalf of another user: Impersonate-User and its related headers (`kubectl --as`).
#pragma once

#include <optional>

#include "keelson/net/http.hpp"
#include "src/sandbox/authorization/authorizer.hpp"
#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// The effective user of a request: `requester`, or the user that it impersonates for this access. 403 if the requester
// has no permission to impersonate, 400 for headers without a user.
[[nodiscard]] RejectionOr<UserInfo> impersonated(const net::Headers& headers, UserInfo requester, const Access& access,
                                                 Authorizer& authorizer);

}  // namespace keelson::sandbox
