// The CEL expressions that select devices: their only variable is `device`.
#pragma once

#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

// `at` is the expression of a DeviceClass or of a claim.
void check_device_expression(RuleCheck& check, const Spot& at);

}  // namespace keelson::sandbox
