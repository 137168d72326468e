// The running program: builds what the options ask for, runs it until a signal, and takes it down again.
#pragma once

#include <string>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/kube/operator_name.hpp"
#include "keelson/program/flags.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::program {

struct ProgramParts {
  const std::string& program;  // the binary's own name
  const kube::OperatorName& name;
  const std::vector<controller::Definition>& controllers;
  const Additions& additions;
};

// Runs the controllers on a loop of its own. The exit code: 0 after an orderly stop, otherwise 1; what went wrong has
// been logged.
[[nodiscard]] int run_program(const ProgramParts& parts, const Options& options, LogSink& sink);

}  // namespace keelson::program
