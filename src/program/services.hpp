// The services of a running program: builds those that the options request, runs them until a signal, and stops them.
// A value of a flag reaches the code that uses it here.
#pragma once

#include "keelson/detail/base/adjustable_sink.hpp"
#include "src/program/program_parts.hpp"

namespace keelson::program {

// Runs parts.controllers, those that the flags select, on a loop of its own. Returns the exit code: 0 after an orderly
// stop, otherwise 1; the error has been logged.
[[nodiscard]] int run_program(const ProgramParts& parts, const ParsedFlags& flags, AdjustableSink& sink);

}  // namespace keelson::program
