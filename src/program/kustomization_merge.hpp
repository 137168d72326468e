// Brings a kustomization.yaml that people edit up to date: adds what is generated and missing, removes nothing.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::program {

// `existing` with the entries of `resources` that only `generated` has, added to the end of its list. An entry that is
// commented out stays out; every other line stays as it is. kInvalid when the list is written inline ([a, b]), which
// names the entries to add by hand.
[[nodiscard]] Result<std::string> merge_kustomization(std::string_view existing, std::string_view generated);

}  // namespace keelson::program
