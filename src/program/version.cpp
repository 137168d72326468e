#include "keelson/detail/program/version.hpp"

#include <algorithm>
#include <string_view>

#include "keelson/metrics/registry.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::program {

namespace {

#if defined(__x86_64__)
constexpr std::string_view kArchitecture = "amd64";
#elif defined(__aarch64__)
constexpr std::string_view kArchitecture = "arm64";
#else
constexpr std::string_view kArchitecture = "unknown";
#endif

// False for our own programs, which are the library.
bool has_own_version(const OperatorVersion& own) {
  return !own.version.empty() && (own.version != version() || own.commit != commit());
}

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

std::string version_text(const std::string& operator_name, const OperatorVersion& own) {
  if (!has_own_version(own)) return version_text();
  return operator_name + " " + own.version + (own.commit.empty() ? "" : " (" + own.commit + ")") + "\n" +
         version_text();
}

std::string user_agent(const std::string& program, const OperatorVersion& own) {
  return program + "/" + (own.version.empty() ? version() : own.version) + " (linux/" + std::string(kArchitecture) +
         ") keelson/" + commit();
}

std::string user_agent(const std::string& program) { return user_agent(program, {}); }

void add_build_info(metrics::Registry& registry, const std::string& operator_name, const OperatorVersion& own) {
  auto name = operator_name + "_build_info";
  std::ranges::replace(name, '-', '_');
  registry
      .gauge(name,
             "Constantly 1, with the version of the operator, the commit of its sources, and the library's version.",
             {"version", "revision", "keelson_version"})
      .with({own.version, own.commit, version()})
      .set(1);
}

}  // namespace keelson::program
