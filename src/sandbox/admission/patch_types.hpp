// The types that only the expressions of MutatingAdmissionPolicies have: Object{…}, Object.spec{…} and JSONPatch{…}.
//
// Room cel has no message literals: a literal of such a type becomes that of a map with the same fields, and
// jsonpatch.escapeKey(x) two calls of replace().
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/cel/value.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct PatchExpression {
  std::string text;        // the expression with maps
  bool has_types = false;  // it has a literal of these types
  std::string mismatch;    // the API server's error if a type does not belong to its field; empty: none
};
[[nodiscard]] PatchExpression with_patch_types(std::string_view expression);

// A value as JSON, for a patch. An error if it is larger than the body of a request, or a key is no string.
[[nodiscard]] Result<Tree> json_of(const cel::Value& value);

}  // namespace keelson::sandbox
