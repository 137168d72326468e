// Generates a sample object of a kind from its schema, for kinds without Kind::sample (config/samples).
#pragma once

#include <optional>
#include <string>

#include "keelson/detail/schema/kind.hpp"

namespace keelson::kube {

// An object as YAML, named "<kind>-sample", with the required fields of its spec: each has its example, its default,
// the first value of its enum, or the smallest value that its limits allow. Returns nullopt if the schema requires a
// value that does not follow from it: one with a pattern, a format or a rule. `.example("…")` in the description helps
// then.
[[nodiscard]] std::optional<std::string> sample_of(const Kind& kind);

}  // namespace keelson::kube
