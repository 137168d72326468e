// The defaults of pods and pod specifications that depend on other fields.
#pragma once

#include <string>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

void default_pod_spec(Tree& spec);
// The defaults of pods only, not of templates.
void default_pod(Tree& pod);
void default_container(Tree& container);
void default_volume(Tree& volume);

// Guaranteed, Burstable or BestEffort.
[[nodiscard]] std::string qos_class(const Tree& spec);

}  // namespace keelson::sandbox
