// The command line of keelson-sandbox: `[flags]`, `run [flags] -- COMMAND...`, `version`, from one table of flags.
//
// A pure function. Errors are kInvalid: the flag, its value, and a valid value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/sandbox/api_server.hpp"

namespace keelson::sandbox_program {

struct Settings {
  std::uint16_t port = 0;  // 0: any free one
  std::string bind_address = "127.0.0.1";
  std::string kubeconfig_out;  // empty: in a private folder that is removed at the end
  std::string data;            // empty: nothing is stored
  std::string audit_log;       // empty: none
  std::string token;           // empty: that of the data file, or a random one
  bool has_controllers = true;
  sandbox::Authorization authorization = sandbox::Authorization::kAlwaysAllow;
  bool ignores_rules = false;  // those of x-kubernetes-validations
  async::Duration pod_start = std::chrono::milliseconds(300);
  double speed = 1;
  sandbox::ChaosOptions chaos;
};

struct CommandLine {
  enum class Action { kServe, kRun, kDiffAgainst, kVersion, kCompletion, kHelp };
  Action action = Action::kServe;
  Settings settings;
  std::vector<std::string> words;  // kRun: the command and its arguments; otherwise those after the word
};

[[nodiscard]] Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

[[nodiscard]] std::string usage();

// Runs the command `completion` with the words after it. Returns the exit code.
int complete(const cli::Console& console, const std::vector<std::string>& words);

}  // namespace keelson::sandbox_program
