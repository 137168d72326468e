// Runs a program beside the loop and takes what it writes.
//
// Neither waits nor blocks: the end of the program is an event like any other (pidfd). The child has our environment
// and what is added, no descriptor of ours but the three usual ones, and /dev/null to read from.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::kube {

struct ProgramCall {
  std::vector<std::string> arguments;  // the first is the program, looked up in PATH unless it has a '/'
  std::vector<std::pair<std::string, std::string>> variables;
  // Standard input and error are ours, for someone sits there; otherwise the first limits::kToldErrorLines lines of
  // error go to on_error_line, and a word about the rest.
  bool at_terminal = false;
  std::function<void(std::string_view line)> on_error_line;
};

struct ProgramEnd {
  int exit_code = 0;  // 128 and the signal that ended it
  std::string output;
  std::string last_errors;  // the end of what it wrote to standard error
};

// kInvalid when there is no such program, kMalformed when it writes more than limits::kPluginBytes. A call that is
// cancelled, or fails, kills the program and all it has started; nothing of it is left behind.
[[nodiscard]] boost::asio::awaitable<Result<ProgramEnd>> run_program(ProgramCall call);

using RunProgram = std::function<boost::asio::awaitable<Result<ProgramEnd>>(ProgramCall)>;

}  // namespace keelson::kube
