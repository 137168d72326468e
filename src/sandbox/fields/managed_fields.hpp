// The owners of an object's fields, and server-side apply: the rules of metadata.managedFields.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "src/sandbox/fields/field_set.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// An entry of metadata.managedFields.
struct Manager {
  std::string name;
  bool applies = false;  // operation Apply, else Update
  std::string subresource;
  std::string api_version;
  std::string time;  // empty: unknown
  OwnedFields fields;

  // An applier is the same in every API version.
  [[nodiscard]] bool is_same(const Manager& other) const {
    return name == other.name && applies == other.applies && subresource == other.subresource &&
           (applies || api_version == other.api_version);
  }
};
using Managers = std::vector<Manager>;

struct FieldConflict {
  std::string with;  // "\"kubectl\" using apps/v1 at 2026-01-01T00:00:00Z"
  FieldPath path;
};

struct Applied {
  Tree object;
  Managers managers;
  std::vector<FieldConflict> conflicts;  // empty if the apply is forced
};

// Merges `configuration`, the applied object, into `live` for the manager `who` (without fields). Fields that `who`
// applied before and no longer applies are removed unless another manager owns them. If no manager owns anything, the
// fields of `live` first become those of the manager "before-first-apply".
[[nodiscard]] Applied apply(const Tree& live, Managers managers, const Tree& configuration, const Manager& who,
                            bool force, const MergeType& type);

// The ownership after a write that is not an apply: `who` owns the changed fields, and removed fields have no owner. Of
// more than ten managers that update, the oldest become "ancient-changes".
[[nodiscard]] Managers after_update(const Tree& before, const Tree& after, Managers managers, const Manager& who,
                                    const MergeType& type);

[[nodiscard]] bool same_owners(const Managers& left, const Managers& right);
[[nodiscard]] Tree managed_fields(Managers managers);
// The inverse of managed_fields(). Malformed entries are left out.
[[nodiscard]] Managers managers_of(const Tree& managed_fields);
// The managers before a write, from the managedFields of its object: an empty list, or a single empty entry, removes
// all managers; an absent or invalid list leaves `stored`. A custom kind also ignores an empty list.
[[nodiscard]] Managers managers_before(const Tree* managed_fields, const Managers& stored, bool is_custom);

// "Apply failed with 1 conflict: conflict with "kubectl" using apps/v1: .spec.replicas" and its causes.
[[nodiscard]] std::pair<std::string, Tree> conflict_text(const std::vector<FieldConflict>& conflicts);

}  // namespace keelson::sandbox
