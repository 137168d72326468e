// A subcommand of a program: `manager schedule '0 5 * * *'`.
//
// A command runs instead of the controllers: without an API server, an event loop or the flags of the manager.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace keelson::program {

// The exit code for a command line that cannot be parsed, as in Go's flag package.
inline constexpr int kUsageError = 2;

struct Command {
  std::string name;       // a word without a dash in front, unique in the program
  std::string arguments;  // for --help: "EXPRESSION [--count 5]"
  std::string help;       // a sentence for --help
  // `arguments` are the words after the name, unparsed. Returns the exit code: 0, 1 after a failure, kUsageError after
  // a message about the arguments on `errors`. The program flushes `out` afterwards and returns 1 if that fails.
  std::function<int(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors)> run;
};

// True if one of the words after a command is -h, -help or --help.
[[nodiscard]] bool asks_for_help(const std::vector<std::string>& arguments);

}  // namespace keelson::program
