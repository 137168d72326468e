// The server over HTTP: converts targets into requests, and responses and watches into replies.
#pragma once

#include <optional>
#include <string_view>

#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/endpoints.hpp"

namespace keelson::sandbox {

[[nodiscard]] net::Handler make_http_front(Endpoints& endpoints);

// nullopt if the target is not under /api/<version> or /apis/<group>/<version>, or is malformed. The kind is empty,
// because a target only contains the plural.
[[nodiscard]] std::optional<kube::ApiRequest> parse_request(const net::Request& request);

}  // namespace keelson::sandbox
