// The reference page of a kind, from its description: fields, limits, columns, rules, sample.
#pragma once

#include <string>
#include <string_view>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/schema/kind.hpp"

namespace keelson::reference {

// `definition` is the controller that defines the kind. `guide` is a sentence after the description of the kind, with a
// link to a page about it; it may be empty.
[[nodiscard]] std::string kind_page(const kube::Kind& kind, const controller::Definition& definition,
                                    std::string_view guide = {});

// The page of metav1.Condition, the type of `status.conditions`.
[[nodiscard]] std::string condition_page();

}  // namespace keelson::reference
