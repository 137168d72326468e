// The rules of a strategic merge patch for the fields of built-in kinds: the patchStrategy and patchMergeKey of their
// types.
//
// They are older than the rules of server-side apply and differ from them: the key of a container's ports is only their
// number, and a selector is merged.
#pragma once

#include <string>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

struct PatchStrategy {
  bool merges_list = false;      // merged by entry; otherwise a list is replaced
  std::string merge_key;         // empty: a list of scalars
  bool replaces_object = false;  // an object is replaced; otherwise it is merged
};

// `path`: member names joined by dots, without the indexes of lists.
[[nodiscard]] PatchStrategy patch_strategy(const ServedKind& kind, const std::string& path);

}  // namespace keelson::sandbox
