// The grammar of label selectors, as `kubectl -l` and the API server read it.
#pragma once

#include <string_view>
#include <vector>

#include "keelson/kube/selector.hpp"

namespace keelson::kube {

[[nodiscard]] Result<std::vector<Selector::Requirement>> parse_requirements(std::string_view text);

}  // namespace keelson::kube
