// The CustomResourceDefinition of a kind (apiextensions.k8s.io/v1), with the layout of controller-gen.
//
// `<program> generate` writes it to config/crd, and tests install it into the sandbox. The manager does not install it
// in a cluster: that needs permissions that an operator should not have.
#pragma once

#include <optional>
#include <string>

#include "keelson/detail/schema/kind.hpp"

namespace keelson::kube {

// Throws base::Misuse with the fix if the API server would reject the kind: names, columns, selectable fields, paths of
// scale and of rules, versions. `keelson::run` calls it for each kind before it connects.
void check_kind(const Kind& kind);

// The definition as JSON. Members and versions are sorted by name. Calls check_kind(). `spec` is required if one of its
// members is. The status is a subresource, as is scale with `has_scale`.
[[nodiscard]] std::string custom_resource_definition(const Kind& kind);

// The default of the status in the definition: `{"observedGeneration":-1}` and an empty value for each required member,
// if the status has that integer. With it kstatus (in Flux and Argo CD) reports InProgress until a manager has
// reconciled the object. nullopt if a required member rejects its empty value (an enum, a pattern): make such a member
// an optional.
[[nodiscard]] std::optional<std::string> status_default(const Kind& kind);

// The definition as YAML for `kubectl apply -f`, beginning with `---`.
[[nodiscard]] std::string custom_resource_definition_yaml(const Kind& kind);

}  // namespace keelson::kube
