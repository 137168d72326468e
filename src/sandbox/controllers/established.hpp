// The status of CustomResourceDefinitions, which controllers of kube-apiserver write.
#pragma once

#include <string>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Accepts the names and establishes the definition as soon as it is stored. `now` is a metav1.Time for changed
// conditions.
void establish(Tree& definition, const std::string& now);

}  // namespace keelson::sandbox
