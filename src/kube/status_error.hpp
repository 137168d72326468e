// Answers that say no, as Errors: the API server's Status, or what stands in for one when a proxy answered.
#pragma once

#include <string>

#include "keelson/base/error.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// `text` of the Error is empty: whoever asked adds the context.
[[nodiscard]] Error status_error(const ApiRequest& request, int code, const net::Headers& headers, std::string body);

// The body is a Status that says Failure, although the code may be 200 (an aggregated API server does that).
[[nodiscard]] bool is_failure_status(std::string_view body);

// Whole seconds only, as client-go reads the header; a minute at most, so that no server or proxy stops us for longer.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after(const net::Headers& headers);

}  // namespace keelson::kube
