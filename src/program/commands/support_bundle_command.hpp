// The command `support-bundle`: the state of an installation in one file, for a report of a bug.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "src/program/commands/doctor_command.hpp"

namespace keelson::program {

extern const cli::Command kSupportBundleCommand;

// Returns 0 if the file was written, also with parts missing; 1 if not; 2 for an invalid command line.
[[nodiscard]] int support_bundle_command(const ProgramParts& parts, const std::vector<std::string>& arguments,
                                         std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
