// The built-in controllers, for the programs `manager` and `plan`.
#pragma once

#include <vector>

#include "src/controllers/bluegreen/bluegreen.hpp"
#include "src/controllers/cronjob/cronjob.hpp"
#include "src/controllers/guestbook/guestbook.hpp"
#include "src/controllers/hikawa/hikawa.hpp"
#include "src/controllers/memcached/memcached.hpp"

namespace keelson::app {

// The name of the operator with these controllers.
inline constexpr const char* kName = "keelson";

[[nodiscard]] inline std::vector<controller::Definition> built_in_controllers() {
  using namespace keelson::controllers;
  return {memcached(), cronjob(), bluegreen(), hikawa(), guestbook()};
}

}  // namespace keelson::app
