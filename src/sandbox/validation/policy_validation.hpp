// The expressions of admission policies and webhook configurations, as the API server checks them when they are
// written: relations of data/rules.txt. An update may leave unchanged expressions as they are.
#pragma once

#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

// At a webhook.
void check_match_conditions(RuleCheck& check, const Spot& webhook);
// At the policy.
void check_validating_policy(RuleCheck& check, const Spot& policy);
void check_mutating_policy(RuleCheck& check, const Spot& policy);

}  // namespace keelson::sandbox
