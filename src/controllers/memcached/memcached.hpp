// The Memcached controller: a Deployment and a Service for each Memcached, and its pods in its status.
#pragma once

#include "keelson/controller/definition.hpp"

namespace keelson::controllers {

[[nodiscard]] controller::Definition memcached();

}  // namespace keelson::controllers
