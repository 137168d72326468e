// A subcommand of a program: `manager schedule '0 5 * * *'`.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace keelson::program {

// The exit code of a command line that cannot be understood.
inline constexpr int kUsageError = 2;

struct Command {
  std::string name;
  std::string arguments;  // as the help shows them: "EXPRESSION [--count 5]"
  std::string help;
  // `arguments` are the words after the name. Returns the exit code: kUsageError after an error about the arguments.
  std::function<int(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors)> run;
};

// Whether one of the words that follow a command is -h, -help or --help.
[[nodiscard]] bool asks_for_help(const std::vector<std::string>& arguments);

}  // namespace keelson::program
