// The built-in controllers, in the order in which help, manifests and reference pages list them.
//
// To add one: its folder src/kinds/<kind>/, and its line in built_in.cpp. Then follow
// docs/hacking.md, "Adding a controller".
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson::kinds {

// The name of the operator that consists of them.
inline constexpr const char* kOperatorName = "keelson";

[[nodiscard]] std::vector<controller::Definition> built_in();

}  // namespace keelson::kinds
