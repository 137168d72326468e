// The command `doctor`: examines the installation of the operator in a cluster, and prints what is wrong with it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/doctor/doctor.hpp"
#include "src/program/commands/commands.hpp"

namespace keelson::program {

extern const cli::Command kDoctorCommand;

// Returns 0, 1 or 2 for the worst finding (doctor.hpp), and also 2 if there is no report: an invalid command line, or
// no kubeconfig.
[[nodiscard]] int doctor_command(const ProgramParts& parts, const std::vector<std::string>& arguments,
                                 std::ostream& out, std::ostream& errors);

// What a manager does that is started in this container. The file of --config is not read, because it is in the pod.
[[nodiscard]] Result<doctor::DeployedFlags> deployed_flags(const Syntax& syntax,
                                                           const std::vector<controller::Definition>& controllers,
                                                           const doctor::ManagerContainer& container);

}  // namespace keelson::program
