// Evaluates the selectors inside objects: metav1.LabelSelector.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// The value of a label; nullopt if it does not exist.
using LabelOf = std::function<std::optional<std::string>(std::string_view name)>;

// Reads labels from metadata.labels, which must outlive the function; null has no labels.
[[nodiscard]] LabelOf labels_in(const Tree* labels);

// A requirement of matchExpressions: In, NotIn, Exists and DoesNotExist. Nothing meets one with another operator.
[[nodiscard]] bool meets_requirement(const Tree& requirement, const std::optional<std::string>& value);
// A LabelSelector without requirements selects everything.
[[nodiscard]] bool selects_labels(const Tree& selector, const LabelOf& label_of);

}  // namespace keelson::sandbox
