// The FlowSchemas and PriorityLevelConfigurations that an API server creates itself.
#pragma once

#include <utility>
#include <vector>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

inline constexpr const char* kFlowControl = "flowcontrol.apiserver.k8s.io";
// The field managers of these objects, and of the conditions of FlowSchemas.
inline constexpr const char* kFlowProducer = "api-priority-and-fairness-config-producer-v1";
inline constexpr const char* kFlowConsumer = "api-priority-and-fairness-config-consumer-v1";

[[nodiscard]] const kube::Resource& flow_schemas();
[[nodiscard]] const kube::Resource& priority_levels();

using FlowObjects = std::vector<std::pair<kube::Resource, Tree>>;
[[nodiscard]] FlowObjects bootstrap_flows();

}  // namespace keelson::sandbox
