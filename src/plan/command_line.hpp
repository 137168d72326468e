// The command line of a plan: --output, and the flags of the manager, so that the arguments of a Deployment are valid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/program/flags.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::plan {

enum class Format { kText, kJson };

struct CommandLine {
  program::Options options;
  Format format = Format::kText;
  std::optional<std::string> answer;  // the text of --help or --version: print it and exit
};

// The flags that have an effect: those of plans, and those of the operator. Refers to `syntax`.
[[nodiscard]] std::vector<cli::Flag> used_flags(const program::Syntax& syntax);

// Errors are kInvalid, with the given argument and the valid ones.
[[nodiscard]] Result<CommandLine> parse_command_line(const std::string& program,
                                                     const std::vector<std::string>& arguments,
                                                     const program::Environment& environment,
                                                     const program::Syntax& syntax,
                                                     const program::OperatorVersion& version = {});

}  // namespace keelson::plan
