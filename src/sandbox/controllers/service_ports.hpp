// The ports of a Service, resolved for a pod.
#pragma once

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Name, number and protocol of each port. Named target ports that no container of the pod has are left out.
[[nodiscard]] Tree endpoint_ports(const Tree& service, const Tree& pod);

}  // namespace keelson::sandbox
