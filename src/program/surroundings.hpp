// What a plan for serving depends on beside the flags: environment variables and files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "keelson/program/flags.hpp"

namespace keelson::program {

struct Surroundings {
  Environment environment;
  std::function<bool(const std::string& path)> exists;
};

// Those of this process. `variable` is getenv, or what a test has instead.
[[nodiscard]] Surroundings surroundings_by(std::function<const char*(const char*)> variable);

// Where controller-runtime's `server` looks for a certificate that nobody named: Go's os.TempDir and a folder in it.
[[nodiscard]] std::filesystem::path default_certificate_folder(const Environment& environment, const char* server);

}  // namespace keelson::program
