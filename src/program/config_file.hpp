// The file of --config: flags by their names, as YAML.
#pragma once

#include <string>
#include <vector>

#include "src/program/flag_table.hpp"

namespace keelson::program {

// Stores the values in `draft`. Errors say in which line what is wrong and what to write there; the caller adds the
// path.
[[nodiscard]] Result<void> apply_config_file(const std::string& path, const ReadFile& read_file,
                                             const std::vector<Flag>& table, FlagDraft& draft);

}  // namespace keelson::program
