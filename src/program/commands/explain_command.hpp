// The command `explain`: why an object is in its state, as the running manager knows it.
//
// It asks /debug/objects (controller/debug_objects.hpp), with --address directly, otherwise through the API server's
// proxy of the manager's pods.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/kube/client.hpp"
#include "src/program/commands/explain_target.hpp"

namespace keelson::program {

extern const cli::Command kExplainCommand;

struct ExplainCommand {
  const std::string& program;  // the binary's own name
  const kube::OperatorName& name;
  const std::vector<controller::Definition>& controllers;
};

struct ExplainQuestion {
  ExplainTarget target;
  std::string ns;        // of the manager
  std::string pod;       // empty: the leader's
  std::string lease;     // its name
  std::string audience;  // of the token for a manager that protects its pages: the operator's name
  bool wants_json = false;
};

struct PodAnswer {
  std::string text;
  bool is_of_manager = true;  // false: no pod could be asked, as the text says
};

// The answer of the first pod that is not a standby; otherwise that of the last one. A pod that answers 401 is asked
// again with a token of its own account. After an error the next pod is asked; the first error is returned if no leader
// has answered, and names the permission that is missing. `client` and `question` must outlive the call.
[[nodiscard]] Task<PodAnswer> explain_by_pods(kube::Client& client, const ExplainQuestion& question);

// Returns 0 after an answer, 1 if no manager could be asked, cli::kUsageError after a message about the arguments.
[[nodiscard]] int explain_command(const ExplainCommand& command, const std::vector<std::string>& words,
                                  std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
