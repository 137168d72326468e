// The object that results from a merge patch or a JSON patch, in the order in which the API server has its members: its
// decoder reports the first wrong value, and its error shows the whole object.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Go writes the members of a struct in its order, and those of each object that a patch changes by name. `live` has its
// managedFields; `patch` could be applied to it. `definition` is empty for a custom kind, whose objects are maps in Go.
[[nodiscard]] Tree merge_patched_as_go(Tree live, std::string_view patch, std::string_view definition);
[[nodiscard]] Tree json_patched_as_go(Tree live, std::string_view operations, std::string_view definition);

}  // namespace keelson::sandbox
