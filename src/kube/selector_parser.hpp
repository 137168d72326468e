// The grammar of label selectors of `kubectl -l` and the API server.
#pragma once

#include <string_view>
#include <vector>

#include "keelson/kube/selector.hpp"

namespace keelson::kube {

[[nodiscard]] Result<std::vector<Selector::Requirement>> parse_requirements(std::string_view text);

}  // namespace keelson::kube
