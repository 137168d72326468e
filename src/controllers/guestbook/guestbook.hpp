// The Guestbook controller: it looks, and says in the status that it has.
#pragma once

#include "keelson/controller/definition.hpp"

namespace keelson::controllers {

[[nodiscard]] controller::Definition guestbook();

}  // namespace keelson::controllers
