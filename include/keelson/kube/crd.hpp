// The CustomResourceDefinition of a kind of our own (apiextensions.k8s.io/v1), in the shape controller-gen gives it.
#pragma once

#include <optional>
#include <string>

#include "keelson/kube/kind.hpp"

namespace keelson::kube {

// Throws base::Misuse for what the API server would reject, with the fix: names, columns, selectable fields, paths of
// scale and of rules, versions. `keelson::run` calls it for each kind before anything else.
void check_kind(const Kind& kind);

// JSON, members sorted by name, versions too; checked as check_kind does. `spec` is required as soon as one of its
// members is; status and, with `has_scale`, scale are subresources.
[[nodiscard]] std::string custom_resource_definition(const Kind& kind);

// The default of the status in it: `{"observedGeneration":-1}` where the status has that integer, so that kstatus (as
// in Flux) reports InProgress until a manager has looked at the object, and an empty value for each required member. A
// status that requires what no empty value meets (an enum, a pattern) has no default: make such a member an optional.
[[nodiscard]] std::optional<std::string> status_default(const Kind& kind);

// The same as a file for `kubectl apply -f`, beginning with `---`.
[[nodiscard]] std::string custom_resource_definition_yaml(const Kind& kind);

}  // namespace keelson::kube
