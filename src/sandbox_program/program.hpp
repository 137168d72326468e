// Runs `keelson-sandbox` as its command line requests.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox_program/command.hpp"

namespace keelson::sandbox_program {

// Returns the exit code: 0, 1 after an error, 2 for an invalid command line; with `run`, that of the command.
[[nodiscard]] int run_program(const std::vector<std::string>& arguments, const Inheritance& inherited);

}  // namespace keelson::sandbox_program
