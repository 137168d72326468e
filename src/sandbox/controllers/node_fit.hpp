// Whether a pod may run on a node: its name, nodeSelector, required node affinity, taints.
#pragma once

#include <string>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

enum class NodeFit {
  kNever,
  kContinues,  // a running pod stays: the node has a taint NoSchedule that the pod does not tolerate
  kRuns,
};

[[nodiscard]] NodeFit fit(const Tree& pod_spec, const Tree& node);

// The node to which a pod is bound or that its affinity requires, as a DaemonSet pins its pods; empty: any node.
[[nodiscard]] std::string node_of(const Tree& pod);

}  // namespace keelson::sandbox
