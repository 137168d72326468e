// Converts rejections to Errors: the API server's Status, or client-go's substitute for the reply of a proxy.
#pragma once

#include <string>

#include "keelson/detail/base/error.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// `text` of the Error is empty: the caller adds the context.
[[nodiscard]] Error status_error(const ApiRequest& request, int code, const net::Headers& headers, std::string body);

// Whether the body is a Status with Failure. The code may be 200, as from some aggregated API servers.
[[nodiscard]] bool is_failure_status(std::string_view body);

// The header in whole seconds, as client-go reads it; at most a minute, so that no server or proxy stops the client
// longer.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after(const net::Headers& headers);

}  // namespace keelson::kube
