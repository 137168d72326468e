// The command line of the program `keelson`.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace keelson::scaffold {

// Runs a command in the folder `root`. `in` has the user's answers to questions. Returns the exit code: 0, 1 if the
// command was refused or a write failed, or if an update has conflicts; 2 for an invalid command line. After 1 without
// conflicts, and after 2, no file has changed.
[[nodiscard]] int run_program(const std::vector<std::string>& words, const std::filesystem::path& root,
                              std::istream& in, std::ostream& out, std::ostream& errors);

}  // namespace keelson::scaffold
