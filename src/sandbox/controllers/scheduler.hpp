// Which node a pod goes to, as kube-scheduler decides by nodeSelector, node affinity and taints.
#pragma once

#include <string>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

struct Placement {
  std::string node;         // empty: none fits
  std::string why_nowhere;  // in the words of the pod's condition PodScheduled
};

// A pod that is bound, or whose affinity names a node, goes there. Without Nodes in the world, as in simulations, it
// goes to node-1.
[[nodiscard]] Placement place(Operations& operations, const Tree& pod);

// The condition and the Event of a pod that has no place, unless they are there already.
void report_unschedulable(Operations& operations, const kube::Object& pod, const std::string& why);

}  // namespace keelson::sandbox
