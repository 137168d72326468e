// Reviews, which are answered and not stored: SelfSubjectAccessReview, SelfSubjectReview, TokenReview, ….
#pragma once

#include <string>

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

class Authentication;

// A POST to one of authorization.k8s.io or authentication.k8s.io.
[[nodiscard]] RejectionOr<Answer> review(const Call& call, Authentication& authentication, const std::string& now);

// authentication.k8s.io/v1 UserInfo.
[[nodiscard]] Tree user_info(const UserInfo& user);

}  // namespace keelson::sandbox
