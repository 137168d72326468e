// What somebody probably meant to type.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace keelson::base {

// The known name with the fewest single-letter changes (Levenshtein), the first of equals; nothing when more than a
// third of its letters would change, or when `typed` has more than 64.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view typed,
                                                      const std::vector<std::string_view>& known);

}  // namespace keelson::base
