// The label selectors of Kubernetes' objects, which matchLabels and matchExpressions describe, as kube::Selector.
//
// Example (test/examples/controller.cpp#label_selector):
//   // The databases that a policy selects, in all namespaces.
//   Result<std::vector<Database>> selected_by(const Policy& policy, const Pass<Policy>& pass) {
//     KEELSON_LET(const auto selector, kube::selector_of(policy.spec.databases));
//     return pass.list<Database>("", selector);
//   }
#pragma once

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/kube/selector.hpp"

namespace keelson::kube {

// As apimachinery's LabelSelectorAsSelector: the requirements of matchLabels and matchExpressions (In, NotIn, Exists,
// DoesNotExist) must all hold, and a selector without any selects everything. They are sorted by key.
//
// kInvalid, with the text of the API server, for an unknown operator, a key or value that a label cannot have, and a
// number of values that the operator does not take. Such a selector of a user cannot work until it is changed: report
// it with `pass.stalled(…)`.
[[nodiscard]] Result<Selector> selector_of(const meta::v1::LabelSelector& selector);

// The same for a field that may be absent: a std::optional or a kube::Box. An absent selector selects nothing.
template <class Optional>
  requires requires(const Optional& selector) {
    static_cast<bool>(selector);
    selector_of(*selector);
  }
[[nodiscard]] Result<Selector> selector_of(const Optional& selector) {
  if (!selector) return Selector::nothing();
  return selector_of(*selector);
}

}  // namespace keelson::kube
