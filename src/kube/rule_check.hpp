// What is checked of x-kubernetes-validations rules before an API server is asked, and the paths that they name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/kind.hpp"

namespace keelson::kube::detail {

// What is wrong with the texts of the rule and how to fix it; empty: nothing.
[[nodiscard]] std::string rule_error(const CelRule& rule);

// The segments of the path of a rule, ".spec.color" or ".spec['color']"; none: it has another form.
[[nodiscard]] std::optional<std::vector<std::string>> names_of_rule_path(std::string_view path);

// The segments of a path without array notation, ".spec.color"; none: it has another form.
[[nodiscard]] std::optional<std::vector<std::string>> names_of_path(std::string_view path);

}  // namespace keelson::kube::detail
