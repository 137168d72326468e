// What differs between the database servers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "database/database_types.hpp"

namespace database {

struct Engine {
  std::string image;
  std::int32_t port;
  std::int64_t user;                               // of the image
  std::string data_folder;                         // where the volume is mounted
  std::string password_variable;                   // reads the administrator's password
  std::map<std::string, std::string> environment;  // further variables
};

[[nodiscard]] const Engine& engine_of(const Database& database);

}  // namespace database
