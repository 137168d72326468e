// Who rejected a request, as far as a person must act: the label `cause` of keelson_rejected_requests_total.
#pragma once

#include <string_view>

#include "keelson/detail/base/error.hpp"

namespace keelson::kube {

// "unauthenticated", "permission", "quota", "admission", "webhook" or "schema"; empty for all other errors. A Status
// does not say which component rejects, and 403 is used by most of them, so this reads the texts of the API server's
// code. They have been the same since Kubernetes 1.9, and client-go's users match them, too.
[[nodiscard]] std::string_view rejection_cause(const Error& error);

}  // namespace keelson::kube
