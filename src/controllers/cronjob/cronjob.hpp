// The CronJob controller: it creates a Job each time that a CronJob's schedule fires, exactly once.
#pragma once

#include "keelson/controller/definition.hpp"

namespace keelson::controllers {

[[nodiscard]] controller::Definition cronjob();

}  // namespace keelson::controllers
