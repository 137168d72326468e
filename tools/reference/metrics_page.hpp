// The reference page of the metrics: every series with its type, labels and help, by topic.
#pragma once

#include <string>
#include <vector>

#include "keelson/metrics/registry.hpp"

namespace keelson::reference {

[[nodiscard]] std::string metrics_page(const std::vector<metrics::FamilyFacts>& families);

}  // namespace keelson::reference
