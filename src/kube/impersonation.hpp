// The headers that ask the API server to take us for someone else.
#pragma once

#include <string>
#include <string_view>

#include "keelson/kube/config.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// Nothing when nobody is impersonated.
void append_impersonation(net::Headers& headers, const Impersonation& as);

}  // namespace keelson::kube
