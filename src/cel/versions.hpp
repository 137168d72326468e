// Semantic versions, as package semver reads and compares them.
#pragma once

#include <string_view>

namespace keelson::cel {

// Below zero, zero or above, without the build metadata. Both must be valid.
[[nodiscard]] int compare_versions(std::string_view one, std::string_view other);

}  // namespace keelson::cel
