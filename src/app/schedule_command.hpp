// `manager schedule EXPRESSION`: when a cron expression fires next, for who writes one.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "keelson/program/command.hpp"

namespace keelson::app {

// The command as `manager` has it.
[[nodiscard]] program::Command schedule();

// `arguments` are the words after "schedule"; runs are counted from `now` unless --from says otherwise. Returns the
// exit code: 1 for an expression or zone that is refused, 2 for a wrong command line.
int schedule_command(const std::vector<std::string>& arguments, std::chrono::sys_seconds now, std::ostream& out,
                     std::ostream& errors);

}  // namespace keelson::app
