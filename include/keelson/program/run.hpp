// The three lines of an operator's main: everything from flags to exit code.
//
//   int main(int argc, char** argv) { return keelson::run(argc, argv, {memcached()}); }
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson {

// Parses the flags or a subcommand (version, generate), finds the API server, runs the controllers until SIGINT or
// SIGTERM. The exit code: 0 after an orderly stop, 1 after a failure, 2 for flags that cannot be understood.
[[nodiscard]] int run(int argc, char** argv, std::vector<controller::Definition> controllers);

}  // namespace keelson
