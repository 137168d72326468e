// The running program: builds what the options ask for, runs it until a signal, and takes it down again.
#pragma once

#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/program/flags.hpp"

namespace keelson::program {

// Runs the controllers on a loop of its own. The exit code: 0 after an orderly stop, otherwise 1; what went wrong has
// been logged.
[[nodiscard]] int run_operator(const std::string& program, const Options& options, LogSink& sink,
                               const std::vector<controller::Definition>& controllers);

}  // namespace keelson::program
