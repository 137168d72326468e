// Runs a program without blocking the loop, and collects its output.
//
// The end of the program is an event of the loop (pidfd). The child has the environment of this process and the call's
// variables, and inherits no descriptor except standard output and error; its standard input is /dev/null.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson::limits {

// The output of a program: a token or a certificate chain takes a few KiB.
inline constexpr std::size_t kPluginBytes = std::size_t{1} << 20;

// Logged lines of a program's standard error, per run: in verbose mode a plugin writes some dozens. The last lines are
// retained in any case, for the error.
inline constexpr std::size_t kToldErrorLines = 100;

}  // namespace keelson::limits

namespace keelson::kube {

struct ProgramCall {
  std::vector<std::string> arguments;  // the first is the program, found in PATH unless it has a '/'
  std::vector<std::pair<std::string, std::string>> variables;
  // True: the child has the terminal as standard input and error, so that a user can log in. False: on_error_line gets
  // the first limits::kToldErrorLines lines of standard error, and a line about omitted ones.
  bool at_terminal = false;
  std::function<void(std::string_view line)> on_error_line;
};

struct ProgramEnd {
  int exit_code = 0;  // 128 plus the signal if a signal ended it
  std::string output;
  std::string last_errors;  // the end of its standard error
};

// kInvalid if there is no such program, kMalformed if it writes more than limits::kPluginBytes. A call that is canceled
// or fails kills the program and all processes that it has started.
[[nodiscard]] Task<ProgramEnd> run_program(ProgramCall call);

using RunProgram = std::function<Task<ProgramEnd>(ProgramCall)>;

}  // namespace keelson::kube
