// What doctor examines in tests: the installation of an operator named `sea`, without controllers.
#pragma once

#include "keelson/detail/doctor/doctor.hpp"

namespace keelson::program {

inline doctor::Examined examined_sea() {
  return {.program = "manager",
          .version = "1.0.0",
          .server = "https://sea",
          .name = kube::OperatorName("sea"),
          .controllers = {},
          .webhooks = {},
          .permissions = {},
          .ns = "",
          .default_ns = "default",
          .parse_flags = [](const doctor::ManagerContainer&) {
            return Result<doctor::DeployedFlags>(doctor::DeployedFlags());
          }};
}

}  // namespace keelson::program
