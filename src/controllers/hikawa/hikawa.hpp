// The Hikawa controller: a paced sequence of Zundokos that ends with Zun, Zun, Zun, Zun, Doko, and then a Kiyoshi.
#pragma once

#include "keelson/controller/definition.hpp"

namespace keelson::controllers {

[[nodiscard]] controller::Definition hikawa();

}  // namespace keelson::controllers
