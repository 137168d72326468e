// A subcommand of a program: `manager schedule '0 5 * * *'`.
//
// A command runs instead of the controllers: without an API server, an event loop or the flags of the manager.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace keelson::program {

struct Command {
  std::string name;       // a word without a dash in front, unique in the program
  std::string arguments;  // for --help: "EXPRESSION [--count 5]"
  std::string help;       // a sentence for --help
  // `arguments` are the words after the name, unparsed. Returns the exit code: 0, 1 after a failure, 2 after a
  // message about the arguments on `errors`. The program flushes `out` afterwards and returns 1 if that fails.
  std::function<int(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors)> run;
};

}  // namespace keelson::program
