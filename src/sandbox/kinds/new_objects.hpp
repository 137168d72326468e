// The fields that the server adds to a new object in addition to defaults: the status of a pod, and in a whole cluster
// those of admission plugins (ServiceAccount and token, priority, tolerations) and the labels by which a Job selects
// its pods.
#pragma once

#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// Requires complete metadata.
void complete_new_object(const World& world, const kube::Resource& resource, Tree& object);

}  // namespace keelson::sandbox
