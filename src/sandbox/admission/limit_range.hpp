// LimitRanges: default requests and limits of containers, and the minimum, maximum and ratio of amounts.
#pragma once

#include <string>

#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// Adds the defaults of the namespace's LimitRanges to a new pod.
void add_limit_defaults(const World& world, Tree& pod);

// The reason why a pod or a PersistentVolumeClaim violates a LimitRange of its namespace; empty: it does not.
[[nodiscard]] std::string limit_error(const World& world, const kube::Resource& resource, const Tree& object);

}  // namespace keelson::sandbox
