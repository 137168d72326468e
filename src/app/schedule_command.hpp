// `manager schedule EXPRESSION`: prints when a cron expression fires next.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "keelson/program/operator.hpp"

namespace keelson::app {

// The command of `manager`.
[[nodiscard]] program::Command schedule();

// `arguments` are the words after "schedule". The runs are those after `now`, or after --from. Returns the exit code: 1
// for an invalid expression or zone, 2 for an invalid command line.
int schedule_command(const std::vector<std::string>& arguments, std::chrono::sys_seconds now, std::ostream& out,
                     std::ostream& errors);

}  // namespace keelson::app
