// The Guestbook controller: it observes each Guestbook and reports that in the status.
#pragma once

#include "keelson/controller/definition.hpp"

namespace keelson::controllers {

[[nodiscard]] controller::Definition guestbook();

}  // namespace keelson::controllers
