// Ports of 30000-32767 for Services of type NodePort and LoadBalancer.
#pragma once

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// A port without a required node port gets its former one, or one that no other Service has. Rejects a new port that is
// out of the range or that another Service has.
[[nodiscard]] RejectionOr<void> give_node_ports(const World& world, const Call& call, const Tree* before,
                                                Tree& service);

}  // namespace keelson::sandbox
