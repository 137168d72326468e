// `manager version`: the versions of the program and of its libraries, or with --licenses their licenses.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace keelson::program {

// `arguments` are the words after "version". Returns the exit code: 2 for a wrong command line.
int version_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
