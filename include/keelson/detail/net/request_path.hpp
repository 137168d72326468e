// The path of a request: its target without the query, percent-encoded as received.
//
// Authorization and routing must use the same path, or a client could reach an endpoint under a path that it is
// authorized for. Therefore both call path_of(). The view refers to `request`.
#pragma once

#include <string_view>

#include "keelson/net/http.hpp"

namespace keelson::net {

[[nodiscard]] inline std::string_view path_of(const Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

}  // namespace keelson::net
