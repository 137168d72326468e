// The values of /flagz: every flag, its value, and where the value comes from. Values that may be secrets are not
// shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/zpages/page.hpp"

namespace keelson::zpages {

enum class FlagSource { kDefault, kCommandLine, kConfigFile, kEnvironment };

struct FlagState {
  std::string name;
  std::string value;          // as on the command line
  std::string default_value;  // empty if it depends on other flags
  FlagSource source = FlagSource::kDefault;
  bool is_own = false;  // declared by the operator or its controllers, not by the library
};

// The value to show. User information in a URL is replaced: "redis://REDACTED@host". So are, in an operator's own
// flags: the value of a flag that is named after a secret (token, pass, pwd, secret, cred, key, auth, dsn, in any
// case), unless the last word of its name says that the value is a path (file, path, dir, folder); a value that
// contains "password="; and the query of a URL.
[[nodiscard]] std::string shown_value(const FlagState& flag, std::string_view value);

[[nodiscard]] Page flags_page(std::string program, const std::vector<FlagState>& flags, std::vector<std::string> links);
[[nodiscard]] std::string flags_json(std::string_view program, const std::vector<FlagState>& flags);
// One "name=value" a line after the title and the warning, as Kubernetes' /flagz.
[[nodiscard]] std::string flags_text(std::string_view program, const std::vector<FlagState>& flags);

}  // namespace keelson::zpages
