// The server over HTTP: targets into requests, answers and watches into replies.
#pragma once

#include <optional>
#include <string_view>

#include "keelson/net/http_server.hpp"
#include "src/sandbox/endpoints.hpp"

namespace keelson::sandbox {

[[nodiscard]] net::Handler make_http_front(Endpoints& endpoints);

// Nothing when the target is not under /api/<version> or /apis/<group>/<version>, or not well-formed. The kind is
// left empty: plurals name it.
[[nodiscard]] std::optional<kube::ApiRequest> parse_request(const net::Request& request);

}  // namespace keelson::sandbox
