// The reference page of the metrics: every series, its type, labels and help, by what it is about.
#pragma once

#include <string>
#include <vector>

#include "keelson/metrics/registry.hpp"

namespace keelson::reference {

[[nodiscard]] std::string metrics_page(const std::vector<metrics::FamilyFacts>& families);

}  // namespace keelson::reference
