// The versions of the library and of the operator, for `manager version`, the User-Agent header, the log and metrics.
#pragma once

#include <string>

namespace keelson::metrics {
class Registry;
}  // namespace keelson::metrics

namespace keelson::program {

struct OperatorVersion;

// The library's own version, which `manager` has too.
[[nodiscard]] std::string version();  // "0.1.0"
[[nodiscard]] std::string commit();   // seven digits of the commit, or "unknown"
// Version, commit, compiler, platform and linked libraries, a line each; ends with a newline.
[[nodiscard]] std::string version_text();
// The same after a line "NAME VERSION (COMMIT)", if the operator declares a version of its own.
[[nodiscard]] std::string version_text(const std::string& operator_name, const OperatorVersion& own);
// "manager/0.1.0 (linux/amd64) keelson/abc1234"; `program` is the binary's own name, and the first version is the
// operator's if it declares one.
[[nodiscard]] std::string user_agent(const std::string& program, const OperatorVersion& own);
[[nodiscard]] std::string user_agent(const std::string& program);
// Adds the gauge NAME_build_info with the value 1 and the labels version, revision and keelson_version, where NAME is
// the operator's name with underscores.
void add_build_info(metrics::Registry& registry, const std::string& operator_name, const OperatorVersion& own);

}  // namespace keelson::program
