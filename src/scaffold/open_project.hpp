// Reads the project in a folder.
#pragma once

#include <filesystem>
#include <string_view>

#include "keelson/base/result.hpp"
#include "src/scaffold/project.hpp"

namespace keelson::scaffold {

inline constexpr std::string_view kProjectFile = "PROJECT";

// kInvalid if there is none: the error says how to create one.
[[nodiscard]] Result<Project> open_project(const std::filesystem::path& root);

}  // namespace keelson::scaffold
