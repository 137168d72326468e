// The controller of Websites, as it is declared.
#pragma once

#include "keelson/controller/definition.hpp"

namespace website {

keelson::controller::Definition website();

}  // namespace website
