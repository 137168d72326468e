// The members of an object as Go decodes them: one per name, of duplicates the last, sorted by name.
#pragma once

#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::json {

// They are sorted so that comparing objects with very many members is O(n log n), also for hostile input.
[[nodiscard]] std::vector<Member> unique_members(View object);

}  // namespace keelson::json
