// The services of a running program: builds those that the options request, runs them until a signal, and stops them.
// A value of a flag reaches the code that uses it here.
#pragma once

#include <string>
#include <vector>

#include "keelson/detail/base/adjustable_sink.hpp"
#include "keelson/detail/kube/operator_name.hpp"
#include "keelson/detail/program/flags.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::program {

struct ProgramParts {
  const std::string& program;  // the binary's own name
  const kube::OperatorName& name;
  const std::vector<controller::Definition>& controllers;
  const Additions& additions;
  const std::vector<zpages::FlagState>& flags;  // for /flagz
};

// Runs the controllers on a loop of its own. Returns the exit code: 0 after an orderly stop, otherwise 1; the error has
// been logged.
[[nodiscard]] int run_program(const ProgramParts& parts, const Options& options, AdjustableSink& sink);

}  // namespace keelson::program
