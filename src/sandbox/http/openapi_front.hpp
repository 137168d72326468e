// /openapi over HTTP: negotiation, entity tags, and documents that clients may cache forever by their hash.
#pragma once

#include <string>

#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

[[nodiscard]] inline bool is_openapi(const std::string& path) {
  return path == "/openapi/v2" || path == "/openapi/v3" || path.starts_with("/openapi/v3/");
}

[[nodiscard]] net::ServerReply openapi_reply(const Kinds& kinds, const net::Request& request);

}  // namespace keelson::sandbox
