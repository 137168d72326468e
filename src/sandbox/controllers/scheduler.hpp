// The choice of a node for a pod, as kube-scheduler decides by nodeSelector, node affinity and taints.
#pragma once

#include <string>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

struct Placement {
  std::string node;         // empty: no node fits
  std::string why_nowhere;  // the message of the pod's condition PodScheduled
};

// A pod that is bound, or whose affinity requires a node, goes to that node. In simulations without Nodes, it goes to
// node-1.
[[nodiscard]] Placement place(Operations& operations, const Tree& pod);

// Writes the condition and the Event of a pod that fits on no node, unless they exist already.
void report_unschedulable(Operations& operations, const kube::Object& pod, const std::string& why);

}  // namespace keelson::sandbox
