// The errors of apimachinery for a requirement of a label selector, with its texts.
#pragma once

#include <optional>

#include "keelson/kube/selector.hpp"

namespace keelson::kube {

// What labels.NewRequirement says: `key: Invalid value: "a b": name part must consist of …`; nullopt if the requirement
// is valid.
[[nodiscard]] std::optional<Error> requirement_error(const Selector::Requirement& requirement);

}  // namespace keelson::kube
