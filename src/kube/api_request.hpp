// Converts an ApiRequest to the context of an error and to an HTTP request.
#pragma once

#include <string>
#include <string_view>

#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// "get pods default/a", "apply deployments.apps/scale default/web": the context of errors.
[[nodiscard]] std::string describe(const ApiRequest& request);

[[nodiscard]] const char* method_of(Verb verb);

// The request without credentials, impersonation and user agent.
[[nodiscard]] net::Request to_http(const ApiRequest& request, std::string_view path_prefix);

// Whether sending the request twice has the same result as sending it once.
[[nodiscard]] bool is_idempotent(const ApiRequest& request);
[[nodiscard]] bool is_read(Verb verb);

}  // namespace keelson::kube
