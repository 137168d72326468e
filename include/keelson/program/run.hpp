// The main function of an operator in one call: from the command line to the exit code.
//
// Example (test/examples/controller.cpp#run):
//   int main(int argc, char** argv) { return keelson::run("greeter", argc, argv, {greeter()}); }
//
// A program with flags, runnables or commands of its own uses an Operator (operator.hpp).
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson {

namespace program {

// The version of an operator, as its author numbers it. Empty: not declared.
struct OperatorVersion {
  std::string version;  // "1.4.0"
  std::string commit;   // of its sources
};

}  // namespace program

// Parses the flags or a subcommand (version, generate), finds the API server, and runs the controllers until SIGINT or
// SIGTERM. It waits for an API server that does not answer yet. Returns the exit code: 0 after an orderly stop, 1 after
// a failure (also: leadership lost, grace period exceeded, base::Misuse), 2 for an invalid command line.
//
// `name` is the name of the operator, a DNS label of at most 40 characters: the field manager of its writes, and the
// prefix of the names of its lease, Service, Secret and webhook configurations. Do not change it later: fields that
// were applied under another name are not released.
[[nodiscard]] int run(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers);
// The same with the version of the operator (Operator::version): `run("greeter", {"1.4.0", "abc1234"}, …)`.
[[nodiscard]] int run(std::string name, program::OperatorVersion version, int argc, char** argv,
                      std::vector<controller::Definition> controllers);

}  // namespace keelson
