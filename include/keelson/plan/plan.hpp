// The main function of a `plan` program: what a version of an operator would change in a live cluster.
//
// Purpose: it lists the objects that the controllers work with, copies them into an API server in this process
// (sandbox/api_server.hpp), runs the controllers on the copy in virtual time until nothing has changed for 30 s of it,
// at most 10 minutes, and prints every write that they made. It uses only the verbs get and list, and writes nothing to
// the cluster. docs/plan.md has the limits.
//
// Ownership and threads: run_plan() owns everything that it creates, blocks its thread, and returns when the plan is
// printed. SIGINT and SIGTERM end the process immediately.
//
// Link it into a program of its own: it contains the sandbox, which is never part of a manager.
//
// Example (test/examples/plan.cpp#plan):
//   // The same name and controllers as in the manager's main function: `int main(int argc, char** argv)` returns this.
//   int plan_inspector(int argc, char** argv) {
//     return run_plan("inspector", argc, argv, {controller_for<core::v1::Namespace>(inspect)});
//   }
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/program/operator.hpp"

namespace keelson {

// `name` is the name of the operator, as in keelson::run(). The command line may have all flags of the manager.
// --kubeconfig, --controllers, --watch-namespaces and the flags of the controllers have an effect, and --output
// text|json. Returns the exit code:
// - 0: the controllers would write nothing.
// - 2: they would write something.
// - 1: there is no plan, a controller still fails at its end, or the command line is invalid. The reason is on stderr,
//   or in the plan.
[[nodiscard]] int run_plan(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers);
// The same for an operator with a version, which --version prints.
[[nodiscard]] int run_plan(std::string name, program::OperatorVersion version, int argc, char** argv,
                           std::vector<controller::Definition> controllers);

}  // namespace keelson
