// The environment variables and files on which the plans for metrics and webhooks depend, in addition to the flags.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "keelson/detail/program/flags.hpp"

namespace keelson::program {

struct ProcessEnvironment {
  Environment environment;
  std::function<bool(const std::string& path)> exists;
};

// The environment of this process. `variable` is getenv, or the function of a test.
[[nodiscard]] ProcessEnvironment environment_by(std::function<const char*(const char*)> variable);

// The default certificate folder of controller-runtime's `server`: a folder in Go's os.TempDir.
[[nodiscard]] std::filesystem::path default_certificate_folder(const Environment& environment, const char* server);

}  // namespace keelson::program
