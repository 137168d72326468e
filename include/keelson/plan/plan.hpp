// What a version of an operator would change in a live cluster, before it is deployed: the main of a `plan` program.
//
//   int main(int argc, char** argv) { return keelson::run_plan("greeter", argc, argv, {greeting()}); }
//
// Lists the objects that the controllers work with (get and list are the only verbs it uses), runs the controllers on
// a copy of them in an API server in this process, in virtual time, until nothing changes, and prints every write that
// they made there. The live cluster is not asked again and nothing is written to it.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson {

// `name` is the operator's, as in keelson::run. Takes the manager's flags, of which --kubeconfig, --controllers,
// --watch-namespaces and the controllers' own count, and --output text|json. The exit code: 0 when the controllers
// would write nothing, 2 when they would, 1 when the plan could not be made, a controller still fails at its end, or
// the command line cannot be understood.
[[nodiscard]] int run_plan(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers);

}  // namespace keelson
