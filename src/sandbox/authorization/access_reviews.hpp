// The kinds of authorization.k8s.io: may this user do that, and what may the user do here.
#pragma once

#include "src/sandbox/call.hpp"

namespace keelson::sandbox {

// `review` has what the client sent as metadata and spec.
[[nodiscard]] Outcome review_access(const Call& call, Tree review);

}  // namespace keelson::sandbox
