// Several error messages as one, as apimachinery's Aggregate prints them.
#pragma once

#include <string>
#include <vector>

namespace keelson::kube {

// One message as it is, several as "[a, b]", repetitions once.
[[nodiscard]] std::string aggregated(const std::vector<std::string>& messages);

}  // namespace keelson::kube
