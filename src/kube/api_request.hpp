// Converts an ApiRequest to the context of an error and to an HTTP request.
#pragma once

#include <string>
#include <string_view>

#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// "get pods default/a", "apply deployments.apps/scale default/web": the context of errors.
[[nodiscard]] std::string describe(const ApiRequest& request);

// "deployments.apps/scale", or the raw path: the request's target in metrics.
[[nodiscard]] std::string target_of(const ApiRequest& request);

[[nodiscard]] const char* method_of(Verb verb);

// The request without credentials, impersonation and user agent.
[[nodiscard]] net::Request to_http(const ApiRequest& request, std::string_view path_prefix);

// Whether sending the request twice has the same result as sending it once.
[[nodiscard]] bool is_idempotent(const ApiRequest& request);
[[nodiscard]] bool is_read(Verb verb);

// The JSON of an object or a patch with this metadata.resourceVersion.
[[nodiscard]] std::string with_resource_version(json::View object, std::string_view version);

}  // namespace keelson::kube
