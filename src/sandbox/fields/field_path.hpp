// Where a field is, as managedFields spells it (FieldsV1): to find it in an object, to take it out, to print it.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/fields/list_rules.hpp"
#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// Steps such as `f:spec`, `k:{"name":"web"}`, `v:"a"`. A path that ends in a `k:` step stands for the entry itself.
using FieldPath = std::vector<std::string>;

// ".spec.containers[name=\"web\"].image"
[[nodiscard]] std::string path_text(const FieldPath& path);

// What is at the path; null when nothing is.
[[nodiscard]] const Tree* look_up(const Tree& object, const FieldPath& path, const ListRules& rules);

// Takes away what is at the path, and maps that became empty by it.
void take_away(Tree& object, const FieldPath& path, const ListRules& rules);

// The step of an entry of a list that is merged entry by entry: `k:{…}` by its keys, `v:…` in a set.
[[nodiscard]] std::string entry_step(const Tree& entry, const MergeRule& rule);

[[nodiscard]] bool is_under(const FieldPath& path, const FieldPath& above);

}  // namespace keelson::sandbox
