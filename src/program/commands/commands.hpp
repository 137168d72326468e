// The commands of a program, for the help and for suggestions after a typing error.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/base/error.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/program/flags.hpp"
#include "src/program/program_parts.hpp"

namespace keelson::program {

// Flags of several commands.
inline constexpr cli::Flag kKubeconfigFlag{
    "kubeconfig", "FILE", "The cluster; otherwise KUBECONFIG, the pod's service account, ~/.kube/config."};
inline constexpr cli::Flag kNamespaceFlag{"namespace", "NAMESPACE",
                                          "Where the Deployment is; otherwise it is searched in all namespaces."};

// The built-in commands, and those of the operator before `help`. `syntax` must outlive the result.
[[nodiscard]] std::vector<cli::Command> all_commands(const Syntax& syntax);

// Runs the command that `words` begin with, and returns its exit code; nullopt: they begin with none.
[[nodiscard]] std::optional<int> run_command(const ProgramParts& parts, const std::vector<std::string>& words,
                                             std::ostream& out, std::ostream& errors);

// Throws base::Misuse for a command that has no function, a name that is taken, or a name that begins with a dash.
void check_commands(const std::vector<Command>& commands);

// The error for `rest`, which is not empty: a word among the flags is a misspelled or misplaced command. The manager
// does not start, because the arguments after it would be ignored.
[[nodiscard]] Error unexpected_words(const std::vector<std::string>& rest, const Syntax& syntax = {});

}  // namespace keelson::program
