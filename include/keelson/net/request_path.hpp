// The path of a request: its target without the query, percent-encoded as it came.
//
// Whoever decides by the path and whoever serves it must mean the same one: both ask here.
#pragma once

#include <string_view>

#include "keelson/net/http.hpp"

namespace keelson::net {

[[nodiscard]] inline std::string_view path_of(const Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

}  // namespace keelson::net
