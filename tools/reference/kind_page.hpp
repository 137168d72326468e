// The reference page of a kind, from its description: fields, limits, columns, rules, sample.
#pragma once

#include <string>

#include "keelson/controller/definition.hpp"
#include "keelson/schema/kind.hpp"

namespace keelson::reference {

// `definition` is the controller that defines the kind.
[[nodiscard]] std::string kind_page(const kube::Kind& kind, const controller::Definition& definition);

// The page of metav1.Condition, the type of `status.conditions`.
[[nodiscard]] std::string condition_page();

}  // namespace keelson::reference
