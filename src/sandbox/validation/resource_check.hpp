// Amounts of resources: requests and limits of containers, quotas and limit ranges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

// Whether the name is that of an extended resource: "example.com/gpu".
[[nodiscard]] bool is_extended_resource(std::string_view name);

// `at` is the ResourceRequirements of a container, or of a pod if words[0] is "pod".
void check_resources(RuleCheck& check, const Spot& at, const std::vector<std::string>& words);
// An amount that is "positive", or not negative.
void check_quantity(RuleCheck& check, const Spot& at, const std::vector<std::string>& words);
// A map of amounts by resource names of the sort words[0]: "container", "quota" or "any".
void check_resource_amounts(RuleCheck& check, const Spot& at, const std::vector<std::string>& words);
// `at` is an item of a LimitRange.
void check_limit_range(RuleCheck& check, const Spot& at, const std::vector<std::string>& words);
// `at` is the spec of a ResourceQuota.
void check_quota_scopes(RuleCheck& check, const Spot& at, const std::vector<std::string>& words);

}  // namespace keelson::sandbox
