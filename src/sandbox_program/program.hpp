// What `keelson-sandbox` does with its command line; its exit code.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox_program/command.hpp"

namespace keelson::sandbox_program {

// 0, 1 for what could not be done, 2 for a wrong command line; of `run` the command's own code.
[[nodiscard]] int run_program(const std::vector<std::string>& arguments, const Inheritance& inherited);

}  // namespace keelson::sandbox_program
