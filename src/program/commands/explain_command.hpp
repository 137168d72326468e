// The command `explain`: why an object is in its state, as the running manager knows it.
//
// It asks /debug/objects (controller/debug_objects.hpp), with --address directly, otherwise through the API server's
// proxy of the manager's pods.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/operator_name.hpp"

namespace keelson::program {

inline constexpr std::string_view kExplainArguments =
    "KIND NAMESPACE/NAME [--address HOST:PORT] [--kubeconfig FILE] [--namespace NS] [--pod NAME] [--output text|json]";

struct ExplainCommand {
  const std::string& program;  // the binary's own name
  const kube::OperatorName& name;
  const std::vector<controller::Definition>& controllers;
};

// Returns 0 after an answer, 1 if no manager could be asked, kUsageError after a message about the arguments.
[[nodiscard]] int explain_command(const ExplainCommand& command, const std::vector<std::string>& words,
                                  std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
