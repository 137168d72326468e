#include "src/kubeconfig/aggregated.hpp"

#include <algorithm>

namespace keelson::kube {

std::string aggregated(const std::vector<std::string>& messages) {
  std::vector<std::string> distinct;
  for (const auto& message : messages) {
    if (std::ranges::find(distinct, message) == distinct.end()) distinct.push_back(message);
  }
  if (distinct.size() == 1) return distinct.front();
  std::string out = "[";
  for (const auto& message : distinct) out += (out.size() > 1 ? ", " : "") + message;
  return out + "]";
}

}  // namespace keelson::kube
