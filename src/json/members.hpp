// The members of an object as Go sees them: one per name, the last of duplicates, sorted by name.
#pragma once

#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::json {

// Sorted so that comparing objects with very many members stays O(n log n) whoever sent them.
[[nodiscard]] std::vector<Member> unique_members(View object);

}  // namespace keelson::json
