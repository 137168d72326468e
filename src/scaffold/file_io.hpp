// Reading and replacing whole files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::scaffold {

// nullopt if there is no such file. kInvalid if it cannot be read, or is not a file.
[[nodiscard]] Result<std::optional<std::string>> read_file(const std::filesystem::path& path);

// Replaces a file atomically, or creates it with its folder. A file that exists keeps its permissions, a new one with
// the suffix .sh is executable, and a link stays a link: the file that it refers to is replaced. After an error, the
// file is as before.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace keelson::scaffold
