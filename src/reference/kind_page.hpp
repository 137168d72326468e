// The reference page of one kind, from its description: fields, limits, columns, rules, sample.
#pragma once

#include <string>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/kind.hpp"

namespace keelson::reference {

// `definition` is the controller that the kind comes with.
[[nodiscard]] std::string kind_page(const kube::Kind& kind, const controller::Definition& definition);

// metav1.Condition, which the status of nearly every kind has a list of.
[[nodiscard]] std::string condition_page();

}  // namespace keelson::reference
