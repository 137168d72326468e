// Several error messages as one, as apimachinery's Aggregate prints them.
#pragma once

#include <string>
#include <vector>

namespace keelson::kube {

// A single message unchanged, several as "[a, b]"; a repeated message occurs once.
[[nodiscard]] std::string aggregated(const std::vector<std::string>& messages);

}  // namespace keelson::kube
