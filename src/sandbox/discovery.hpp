// What is served, as APIResourceList: /api/v1 and /apis/<group>/<version>.
#pragma once

#include <string>

#include "src/sandbox/call.hpp"

namespace keelson::sandbox {

[[nodiscard]] Outcome discover(const Kinds& kinds, const std::string& path);

}  // namespace keelson::sandbox
