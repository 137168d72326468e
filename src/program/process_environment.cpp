#include "src/program/process_environment.hpp"

#include <cstdlib>

namespace keelson::program {

std::optional<std::string> process_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

ProcessEnvironment environment_by(std::function<const char*(const char*)> variable) {
  ProcessEnvironment around;
  around.environment = [variable = std::move(variable)](const std::string& name) -> std::optional<std::string> {
    const char* value = variable(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  around.exists = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  };
  return around;
}

std::filesystem::path default_certificate_folder(const Environment& environment, const char* server) {
  auto temporary = environment("TMPDIR").value_or("");
  if (temporary.empty()) temporary = "/tmp";
  return std::filesystem::path(temporary) / server / "serving-certs";
}

}  // namespace keelson::program
