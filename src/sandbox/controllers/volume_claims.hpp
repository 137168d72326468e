// The PersistentVolumeClaims of a StatefulSet's pods: created from templates, owned as the retention policy says.
#pragma once

#include <cstdint>
#include <string>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

// The claims of the pod with this ordinal that do not exist yet. They stay Pending: nothing provides volumes.
void create_claims(Operations& operations, const Tree& set, std::int64_t ordinal);
// Puts the claims of this ordinal in front of the pod's own volumes.
void mount_claims(Tree& pod, const Tree& set, std::int64_t ordinal);
// persistentVolumeClaimRetentionPolicy: claims that go with the set are owned by it, those that go when it is scaled
// down by a pod that is about to be deleted.
void own_claims(Operations& operations, const kube::Object& set, const Tree& tree, const kube::Object& pod,
                std::int64_t ordinal, bool is_condemned);

}  // namespace keelson::sandbox
