#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "keelson/detail/base/local_file.hpp"
#include "keelson/detail/kubeconfig/config.hpp"

namespace keelson::kube {

namespace {

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

// The sixth field of this user's line in /etc/passwd. getpwuid would load shared libraries in a static binary.
std::string home_in_passwd(std::string_view passwd) {
  const auto uid = std::to_string(::getuid());
  while (!passwd.empty()) {
    auto line = passwd.substr(0, passwd.find('\n'));
    passwd.remove_prefix(std::min(passwd.size(), line.size() + 1));
    std::string_view fields[7];
    for (auto& field : fields) {
      field = line.substr(0, line.find(':'));
      line.remove_prefix(std::min(line.size(), field.size() + 1));
    }
    if (fields[2] == uid) return std::string(fields[5]);
  }
  return {};
}

std::string home_directory() {
  auto home = variable("HOME");
  if (!home.empty()) return home;
  auto passwd = base::read_local_file("/etc/passwd");
  if (!passwd || !*passwd) return {};
  return home_in_passwd(**passwd);
}

}  // namespace

Environment process_environment() {
  std::error_code ignored;
  auto directory = std::filesystem::current_path(ignored);
  return Environment{.variable = variable,
                     .read_file = [](const std::string& path) { return base::read_local_file(path); },
                     .home = home_directory(),
                     .working_directory = directory.string()};
}

}  // namespace keelson::kube
