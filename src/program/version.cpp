#include "keelson/program/version.hpp"

#include <string_view>

namespace keelson::program {

namespace {

#if defined(__x86_64__)
constexpr std::string_view kArchitecture = "amd64";
#elif defined(__aarch64__)
constexpr std::string_view kArchitecture = "arm64";
#else
constexpr std::string_view kArchitecture = "unknown";
#endif

}  // namespace

std::string version() { return KEELSON_VERSION; }

std::string commit() { return KEELSON_COMMIT; }

std::string version_text() {
  std::string text = "keelson " + version() + "\n";
  text += "commit " + commit() + "\n";
  text += "compiler " KEELSON_COMPILER "\n";
  text += "platform linux/" + std::string(kArchitecture) + "\n";
  // "Boost 1.83.0 (libboost1.83-dev …)|OpenSSL 3.0.20 (…)|…", a line each.
  std::string_view libraries = KEELSON_LIBRARIES;
  while (!libraries.empty()) {
    auto one = libraries.substr(0, libraries.find('|'));
    libraries.remove_prefix(one.size() + (one.size() < libraries.size() ? 1 : 0));
    text += std::string(one) + "\n";
  }
  return text;
}

std::string user_agent(const std::string& program) {
  return program + "/" + version() + " (linux/" + std::string(kArchitecture) + ") keelson/" + commit();
}

}  // namespace keelson::program
