// The three patches of the API server's world: merge patch (RFC 7386), JSON patch (RFC 6902), and the difference of two
// values as a JSON patch.
//
// Text in, compact text out. A patch that does not parse is kMalformed, one that cannot be applied (a path that is not
// there, a `test` that fails) kInvalid, naming the operation. Results are held to limits::kJsonDepth and
// limits::kObjectBytes, so repeated copies cannot explode.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"

namespace keelson::json {

[[nodiscard]] Result<std::string> merge_patch(std::string_view target, std::string_view patch);

[[nodiscard]] Result<std::string> json_patch(std::string_view target, std::string_view operations);

// The RFC 6902 operations that turn `before` into `after`; "[]" when they are equal. `at`: the pointer to the place
// where both are in the patched document.
[[nodiscard]] std::string diff(View before, View after, const std::string& at = "");

// The RFC 7386 patch that turns `before` into `after`; "{}" when they are equal. Both objects.
[[nodiscard]] std::string merge_diff(View before, View after);

}  // namespace keelson::json
