// The words of a finding, for a report and for its changes.
#pragma once

#include <string>

#include "keelson/detail/doctor/doctor.hpp"

namespace keelson::doctor {

// "deployments/web", "12, for example deployments/web, deployments/api".
[[nodiscard]] std::string subject_of(const Finding& finding);
// What is wrong, with the values that the check read.
[[nodiscard]] std::string finding_text(const Finding& finding);
// With the names of the finding.
[[nodiscard]] std::string remedy_of(const Report& report, const Finding& finding);

}  // namespace keelson::doctor
