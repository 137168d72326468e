// The built-in controllers, as src/app/main.cpp lists them.
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson::reference {

[[nodiscard]] std::vector<controller::Definition> built_in();

}  // namespace keelson::reference
