// The command line of a plan: the manager's flags, so that the arguments of its Deployment can be given as they are,
// and
// --output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/program/flags.hpp"

namespace keelson::plan {

enum class Format { kText, kJson };

struct CommandLine {
  program::Options options;
  Format format = Format::kText;
  std::optional<std::string> answer;  // of --help and --version: print it and end
};

// Errors are kInvalid: what was given, and what to give instead.
[[nodiscard]] Result<CommandLine> parse_command_line(const std::string& program,
                                                     const std::vector<std::string>& arguments,
                                                     const program::Environment& environment,
                                                     const program::Syntax& syntax);

}  // namespace keelson::plan
