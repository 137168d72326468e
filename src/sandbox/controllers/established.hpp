// What the controllers of kube-apiserver write into CustomResourceDefinitions.
#pragma once

#include <string>

#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// Its names are accepted and it is established as soon as it is stored. `now` is a metav1.Time, for what changes.
void establish(Tree& definition, const std::string& now);

}  // namespace keelson::sandbox
