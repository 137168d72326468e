// Strategic merge patch of built-in kinds: a merge patch that merges lists by the key of their entries, with the
// directives $patch, $retainKeys, $deleteFromPrimitiveList and $setElementOrder.
#pragma once

#include "keelson/base/result.hpp"
#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// `live` with `patch` merged in; an error if the patch lacks a merge key or its directives contradict it.
[[nodiscard]] Result<Tree> strategic_merge_patch(const Tree& live, const Tree& patch, const ServedKind& kind);

}  // namespace keelson::sandbox
