// The parts of a CustomResourceDefinition that several of its writers need.
#pragma once

#include <vector>

#include "keelson/detail/schema/kind.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube::detail {

// x-kubernetes-validations, as an array.
void write_rule_list(json::Writer& writer, const std::vector<CelRule>& rules);

}  // namespace keelson::kube::detail
