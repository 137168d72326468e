// The patches of the API server: merge patch (RFC 7386), JSON patch (RFC 6902), and the difference of two values as
// either of them.
//
// Input is text, output is compact text. A patch that cannot be parsed is kMalformed. A patch that cannot be applied (a
// path that does not exist, a failed `test`) is kInvalid, and the error names the operation. Results are limited to
// limits::kJsonDepth and limits::kObjectBytes, because each copy of a copy can double the size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"

namespace keelson::limits {

// Operations of a JSON patch: the API server's limit (maxJSONPatchOperations).
inline constexpr std::size_t kJsonPatchOperations = 10000;

}  // namespace keelson::limits

namespace keelson::json {

// `target` after the merge patch: members of `patch` replace those of `target`, null removes a member, and arrays are
// replaced as a whole.
[[nodiscard]] Result<std::string> merge_patch(std::string_view target, std::string_view patch);

// `target` after `operations`, an array of at most limits::kJsonPatchOperations; all of them apply, or none.
// kSuperseded if the target has another value than a `test` expects.
[[nodiscard]] Result<std::string> json_patch(std::string_view target, std::string_view operations);

// The RFC 6902 operations that turn `before` into `after`; "[]" if they are equal. `at` is the JSON pointer of both in
// the document to patch. Array items are compared by index, so that removing the first item changes all the others.
[[nodiscard]] std::string diff(View before, View after, const std::string& at = "");

// The RFC 7386 patch that turns `before` into `after`; "{}" if they are equal. Both must be objects.
[[nodiscard]] std::string merge_diff(View before, View after);

}  // namespace keelson::json
