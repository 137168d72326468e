// The command `version`: the versions of the program and of its libraries, or with --licenses their licenses.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace keelson::cli {
struct Command;
}  // namespace keelson::cli

namespace keelson::program {

extern const cli::Command kVersionCommand;

// `program` is the name of the binary, `arguments` are the words after "version". `more_libraries` has a line for each
// library that only this program is linked with. Returns the exit code: 2 for an invalid command line.
int version_command(const std::string& program, const std::vector<std::string>& arguments, std::ostream& out,
                    std::ostream& errors, const std::vector<std::string>& more_libraries = {});
// The same for an operator: `text` is its version_text().
int version_command(const std::string& program, const std::string& text, const std::vector<std::string>& arguments,
                    std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
