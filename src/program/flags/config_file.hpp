// The file of --config: a YAML map of names of flags to values.
#pragma once

#include <string>
#include <vector>

#include "src/program/flags/flag_table.hpp"

namespace keelson::program {

// Stores the values in `draft`. An error names the line, the problem and the fix; the caller adds the path.
[[nodiscard]] Result<void> apply_config_file(const std::string& path, const ReadFile& read_file,
                                             const std::vector<Flag>& table, FlagDraft& draft);

}  // namespace keelson::program
