// The protection of VolumeAttributesClasses that claims or volumes use.
#pragma once

#include "src/sandbox/controllers/sync.hpp"

namespace keelson::sandbox {

inline constexpr const char* kClassProtection = "kubernetes.io/vac-protection";

void sync_class_protection(Sync& volume_class);

}  // namespace keelson::sandbox
