// How a strategic merge patch treats the fields of built-in kinds: the patchStrategy and patchMergeKey of their types.
//
// These are older than the rules of server-side apply and not the same: the ports of a container are told apart by
// their number alone, and a selector is merged.
#pragma once

#include <string>

#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

struct PatchStrategy {
  bool merges_list = false;      // entry by entry; otherwise a list is replaced
  std::string merge_key;         // empty: a list of scalars
  bool replaces_object = false;  // an object is replaced; otherwise it is merged
};

// `path`: member names joined by dots, entries of lists looked through.
[[nodiscard]] PatchStrategy patch_strategy(const ServedKind& kind, const std::string& path);

}  // namespace keelson::sandbox
