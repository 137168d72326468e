// The three lines of an operator's main: everything from flags to exit code.
//
//   int main(int argc, char** argv) { return keelson::run("greeter", argc, argv, {greeting()}); }
//
// A program that has more than controllers (its own flags, runnables, commands) is an Operator (operator.hpp).
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson {

// Parses the flags or a subcommand (version, generate), finds the API server, runs the controllers until SIGINT or
// SIGTERM. The exit code: 0 after an orderly stop, 1 after a failure, 2 for flags that cannot be understood.
//
// `name` is that of the operator, a DNS label: the field manager of what it writes, and the beginning of the names of
// its lease, Service, Secret and webhook configurations. Choose it once: fields that were applied under another name
// are not given up.
[[nodiscard]] int run(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers);

}  // namespace keelson
