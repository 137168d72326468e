// ControllerRevisions: the history of the pod templates of a StatefulSet or a DaemonSet.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "src/sandbox/controllers/sync.hpp"

namespace keelson::sandbox {

struct Revision {
  std::string name;
  std::string hash;
  std::int64_t number = 0;
  Tree pod_template;
};

struct RevisionOwner {
  Sync& sync;
  const char* hash_label;  // of the revisions, which differs between the two kinds
};

// Oldest first.
[[nodiscard]] std::vector<Revision> revisions_of(const RevisionOwner& owner);

// Adopts the revisions with the labels of the owner's selector that have no controller.
void adopt_revisions(const RevisionOwner& owner);

// The revision of the current template: the newest one, an older one that becomes the newest, or a new one.
[[nodiscard]] Revision update_revision(const RevisionOwner& owner, const std::vector<Revision>& revisions);

// Deletes the oldest unused revisions, so that spec.revisionHistoryLimit of them remain.
void truncate_revisions(const RevisionOwner& owner, const std::set<std::string>& names_in_use);

}  // namespace keelson::sandbox
