// x-kubernetes-validations rules: checks them as far as possible without an API server, parses the paths in them, and
// writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/schema/kind.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube::detail {

// The first error in the texts of the rule, with its fix; empty if there is none.
[[nodiscard]] std::string rule_error(const CelRule& rule);

// The rules as an array.
void write_rule_list(json::Writer& writer, const std::vector<CelRule>& rules);

// The segments of a rule's path, ".spec.color" or ".spec['color']"; nullopt if it has another form.
[[nodiscard]] std::optional<std::vector<std::string>> names_of_rule_path(std::string_view path);

// The segments of a path without array notation, ".spec.color"; nullopt if it has another form.
[[nodiscard]] std::optional<std::vector<std::string>> names_of_path(std::string_view path);

}  // namespace keelson::kube::detail
