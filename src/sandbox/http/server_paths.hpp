// Paths that belong to the server itself: its index, and its health checks.
#pragma once

#include <string>

#include "keelson/net/http.hpp"
#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// GET /: all paths that are served.
[[nodiscard]] net::Response index_of_paths(const Kinds& kinds);

// "/readyz", "/livez", "/healthz" and their single checks.
[[nodiscard]] bool is_health_path(const std::string& path);
// "ok", or with the parameter `verbose` a line for each check. `exclude` names a check to be left out. 404 for a check
// that does not exist.
[[nodiscard]] net::Response health_of(const std::string& target);

}  // namespace keelson::sandbox
