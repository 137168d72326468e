// Reviews, which are answered and not stored: SelfSubjectAccessReview, SelfSubjectReview, TokenReview, ….
#pragma once

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

class Authentication;

// A POST to one of authorization.k8s.io or authentication.k8s.io.
[[nodiscard]] RejectionOr<Answer> review(const World& world, const Call& call, Authentication& authentication);

// authentication.k8s.io/v1 UserInfo.
[[nodiscard]] Tree user_info(const UserInfo& user);

}  // namespace keelson::sandbox
