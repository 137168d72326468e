// `manager install`: applies the CRDs of a program's kinds to a cluster.
//
// Room `install` adds a program's kinds to a cluster, updates them, and removes them together with their objects
// (uninstall.hpp). Decisions are in src/install/*_policy.hpp, without I/O.
//
// Ownership: `client` and `clock` must outlive the call. Cancellation unwinds it; CRDs that were applied stay applied.
//
// Errors: before the first write, kInvalid if a live CRD cannot be updated: objects may be stored in a version that the
// new CRD lacks, the scope differs, or the CRD is being deleted. The text has a line for each CRD, with the remedy.
// Later, the error of a request, or kTimeout if a CRD is not established in time. A call that failed can be repeated.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/schema/kind.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

// Receives each line of the output, without a line break.
using PrintLine = std::function<void(const std::string& line)>;

struct InstallOptions {
  std::vector<kube::Kind> kinds;
  bool is_dry_run = false;                          // the API server stores nothing
  async::Duration wait = std::chrono::seconds(30);  // until the API server serves all kinds
};

// Applies each CRD by server-side apply with force; the client's operator name is the field manager. Prints a line for
// each CRD, "memcacheds.cache.example.com updated", then waits until all are established and their names are accepted.
// A CRD that does not differ is not written.
[[nodiscard]] Task<void> install(kube::Client& client, async::Clock& clock, InstallOptions options, PrintLine print);

}  // namespace keelson::install
