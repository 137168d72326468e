// What the server adds to a new object beyond defaults: the status of a pod, and in a whole cluster what admission
// plugins add to it (ServiceAccount and token, priority, tolerations) and the labels by which a Job knows its pods.
#pragma once

#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

// Its metadata are complete.
void complete_new_object(const World& world, const kube::Resource& resource, Tree& object);

}  // namespace keelson::sandbox
