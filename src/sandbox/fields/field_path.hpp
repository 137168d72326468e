// The path of a field, as in managedFields (FieldsV1).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/fields/merge_type.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Steps such as `f:spec`, `k:{"name":"web"}`, `v:"a"`. A path that ends in a `k:` step stands for the entry itself.
using FieldPath = std::vector<std::string>;

// ".spec.containers[name=\"web\"].image"
[[nodiscard]] std::string path_text(const FieldPath& path);

// The step of an entry of a list that is merged by entry: `k:{…}` with its keys, `v:…` in a set. Absent if the entry
// has none: it lacks all keys, or is of a wrong type.
[[nodiscard]] std::optional<std::string> entry_step(const Tree& entry, const MergeRule& rule);

}  // namespace keelson::sandbox
