// The fields of an object that a write may change: a subresource changes its own part, the main resource everything
// except the status.
#pragma once

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// CertificateSigningRequests, whose specification only the server writes after their creation.
[[nodiscard]] const kube::Resource& certificate_requests();

// The object that a create, an update or a patch stores: the writable fields of `written`, everything else of `live`.
// `live` is null for a create, and must not be null for a subresource.
[[nodiscard]] Tree with_writable_fields(const Call& call, const Tree* live, Tree written);

// The fields of an apply's configuration that the call may apply.
[[nodiscard]] Tree applicable_fields(const Call& call, Tree configuration);

}  // namespace keelson::sandbox
