// Signs of a running manager in the cluster: a Lease that is renewed, and pods that are ready.
#pragma once

#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

struct ManagerSigns {
  bool is_running = false;
  std::string text;  // the sign, or what was not found: "the Lease keelson-manager is not renewed in any namespace …"
};

// Lists in all namespaces the Leases and the pods of the operator whose name `client` has. A Lease that is held is
// observed until it is renewed, for at most its duration (5 to 60 seconds): its renewTime alone proves nothing, because
// the clocks of two machines differ and a manager may have crashed seconds ago.
[[nodiscard]] Task<ManagerSigns> find_manager(kube::Client& client, async::Clock& clock);

}  // namespace keelson::install
