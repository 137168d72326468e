// The BlueGreen controller: two Deployments and a Service that sends traffic to one of them.
#pragma once

#include "keelson/controller/definition.hpp"

namespace keelson::controllers {

[[nodiscard]] controller::Definition bluegreen();

}  // namespace keelson::controllers
