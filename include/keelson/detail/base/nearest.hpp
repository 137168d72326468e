// Suggestions for misspelled names: "did you mean --metrics-bind-address?"
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace keelson::base {

// The known name with the smallest Levenshtein distance to `typed`; the first of equally near names. nullopt if more
// than a third of the name's bytes would change, or if `typed` is longer than 64 bytes. The result is a view from
// `known`.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view typed,
                                                      const std::vector<std::string_view>& known);

}  // namespace keelson::base
