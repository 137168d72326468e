// The kinds of authorization.k8s.io: reviews of an access, and of the permissions in a namespace.
#pragma once

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// `review` has the metadata and spec that the client sent.
[[nodiscard]] RejectionOr<Answer> review_access(const Call& call, Tree review);

}  // namespace keelson::sandbox
