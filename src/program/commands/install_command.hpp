// `manager install` and `manager uninstall`: the kinds of the program in the cluster of a kubeconfig.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/install/uninstall.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::program {

// The kinds that `uninstall` handles: those with a CRD of the program, each once and with the finalizers of all of its
// controllers, and existing kinds to whose objects a controller adds a finalizer.
[[nodiscard]] std::vector<install::InstalledKind> installed_kinds(
    const std::vector<controller::Definition>& controllers);

extern const cli::Command kInstallCommand;
extern const cli::Command kUninstallCommand;

// The subcommands; `arguments` are the words after the name. `program` is the name of the binary. They return the exit
// code: 0, 1 after a failure, 2 for invalid arguments.
[[nodiscard]] int install_command(const std::string& program, const std::vector<std::string>& arguments,
                                  const std::vector<controller::Definition>& controllers,
                                  const kube::OperatorName& name, std::ostream& out, std::ostream& errors);
[[nodiscard]] int uninstall_command(const std::string& program, const std::vector<std::string>& arguments,
                                    const std::vector<controller::Definition>& controllers,
                                    const kube::OperatorName& name, std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
