// The version of this binary, for `manager version`, the User-Agent header and the log.
#pragma once

#include <string>

namespace keelson::program {

[[nodiscard]] std::string version();  // "0.1.0"
[[nodiscard]] std::string commit();   // seven digits of the commit, or "unknown"
// Version, commit, compiler, platform and linked libraries, a line each; ends with a newline.
[[nodiscard]] std::string version_text();
// "manager/0.1.0 (linux/amd64) keelson/abc1234"; `program` is the binary's own name.
[[nodiscard]] std::string user_agent(const std::string& program);

}  // namespace keelson::program
