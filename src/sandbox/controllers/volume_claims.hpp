// The PersistentVolumeClaims of a StatefulSet's pods: created from templates, owned as the retention policy says.
#pragma once

#include <cstdint>

#include "src/sandbox/controllers/sync.hpp"

namespace keelson::sandbox {

// Creates the missing claims of the pod with this ordinal. They stay Pending, because nothing provisions volumes.
void create_claims(Sync& set, std::int64_t ordinal);
// Inserts the claims of this ordinal before the pod's own volumes.
void mount_claims(Tree& pod, const Tree& set, std::int64_t ordinal);
// Sets owners by persistentVolumeClaimRetentionPolicy: the set owns claims that are deleted with it; a pod that is
// about to be deleted owns claims that are deleted on scale-down.
void own_claims(Sync& set, const kube::Object& pod, std::int64_t ordinal, bool is_condemned);

}  // namespace keelson::sandbox
