// Values as errors of kube-apiserver show them: as the Go types that it has for itself,
// {"Type":"","RollingUpdate":null}.
//
// scripts/generate-internal-forms writes fields/data/internal.txt with these types and describes the notation.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// The JSON of a value as this type: `s` or `core.PodSpec`, with a `*` if it is a pointer. At most kShownBytes of it.
[[nodiscard]] std::string internal_text(const Tree& value, std::string_view type);

// Whether two values are equal as this type. False if they are too large to be compared in a short time.
[[nodiscard]] bool are_equal_internally(const Tree& before, const Tree& after, std::string_view type);

// The lines of two values that differ, as a unified diff of their indented JSON. Empty if the values are equal, or too
// large to be compared in a short time.
[[nodiscard]] std::string internal_difference(const Tree& before, const Tree& after, std::string_view type);

}  // namespace keelson::sandbox
