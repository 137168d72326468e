// Updates a kustomization.yaml that users edit: adds the generated entries that are missing, and removes nothing.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::program {

// `existing`, with the entries of `resources` that only `generated` has at the end of its list. An entry that is
// commented out is not added, and all other lines are unchanged. kInvalid if the list is inline ([a, b]); the error
// names the entries to add by hand.
[[nodiscard]] Result<std::string> merge_kustomization(std::string_view existing, std::string_view generated);

}  // namespace keelson::program
