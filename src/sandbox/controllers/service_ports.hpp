// The ports of a Service as a pod has them.
#pragma once

#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// Name, number and protocol of each; without those that the Service names and no container of the pod has.
[[nodiscard]] Tree endpoint_ports(const Tree& service, const Tree& pod);

}  // namespace keelson::sandbox
