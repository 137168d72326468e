// Selectors inside objects: metav1.LabelSelector, and the plain maps of Services.
#pragma once

#include <vector>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

// A LabelSelector without requirements selects everything, null nothing.
[[nodiscard]] bool selects(const Tree* selector, const kube::Object& object);
// A map of labels, as a Service has; null and empty maps select nothing.
[[nodiscard]] bool selects_by_map(const Tree* labels, const kube::Object& object);

// The pods of a namespace that a LabelSelector selects, by name.
[[nodiscard]] std::vector<StoredObject> pods_in(const Operations& operations, std::string_view ns,
                                                const Tree* selector);
// The pods of a Service, by name. `service` is the whole object.
[[nodiscard]] std::vector<StoredObject> pods_of(const Operations& operations, const Tree& service, std::string_view ns);

}  // namespace keelson::sandbox
