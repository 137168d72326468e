// Which fields of an object somebody wrote: paths as managedFields spells them (FieldsV1).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "src/sandbox/list_rules.hpp"
#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// Steps such as `f:spec`, `k:{"name":"web"}`, `v:"a"`. A path that ends in a `k:` step stands for the entry itself.
using FieldPath = std::vector<std::string>;
using FieldSet = std::set<FieldPath>;

// The leaves: scalars, atomic lists and maps, empty maps, entries of sets, and entries of keyed lists themselves.
// Without what nobody owns: apiVersion, kind, and what the server writes into metadata.
[[nodiscard]] FieldSet fields_of(const Tree& object, const ListRules& rules);

// As FieldsV1: {"f:spec":{"f:replicas":{}}}.
[[nodiscard]] Tree fields_v1(const FieldSet& fields);

// ".spec.containers[name=\"web\"].image"
[[nodiscard]] std::string path_text(const FieldPath& path);

// What is at the path; null when nothing is.
[[nodiscard]] const Tree* look_up(const Tree& object, const FieldPath& path, const ListRules& rules);

// Takes away what is at the path, and maps that became empty by it.
void take_away(Tree& object, const FieldPath& path, const ListRules& rules);

// `k:{…}` of an entry of a keyed list.
[[nodiscard]] std::string key_step(const Tree& entry, const MergeRule& rule);

[[nodiscard]] bool is_under(const FieldPath& path, const FieldPath& above);

}  // namespace keelson::sandbox
