// The headers of impersonation (`kubectl --as`).
#pragma once

#include <string>
#include <string_view>

#include "keelson/kubeconfig/config.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// Adds the Impersonate-* headers; none if `as` has no user.
void append_impersonation(net::Headers& headers, const Impersonation& as);

}  // namespace keelson::kube
