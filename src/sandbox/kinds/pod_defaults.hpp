// The defaults of pod specifications, in pods and in the templates of workloads.
#pragma once

#include <string>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

void default_pod_spec(Tree& spec);
// The defaults of pods only, not of templates.
void default_pod(Tree& spec);
void default_container_port(Tree& port);
// The spec of a PersistentVolumeClaim, or of a template of one.
void default_claim(Tree& spec);

// Guaranteed, Burstable or BestEffort.
[[nodiscard]] std::string qos_class(const Tree& spec);

}  // namespace keelson::sandbox
