// The lease of leader election: its holder, whether it is renewed, and whether several managers lead.
//
// The lease is read twice, with the other areas in between: begin_lease() and end_lease().
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/doctor/findings.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

struct LeaseFacts {
  std::string ns;
  std::string name;
  Reading first = malformed_error("not read");              // the lease
  Reading second = malformed_error("not read");             // the same a few seconds later
  Reading of_all_namespaces = malformed_error("not read");  // all leases of that name
  std::vector<std::string> separate_namespaces = {};        // with leases of managers that reconcile other objects
  std::vector<std::string> pods = {};  // the host names of the pods of the Deployment: their names, or their nodes'
  bool are_pods_known = true;          // false: they could not be listed
  bool has_deployment = false;
  int replicas = 0;
  std::string problem = {};     // why the manager that was asked cannot read or write it; empty: it can, or is unknown
  async::WallTime now;          // of the API server, at the time of `second`
  async::TimePoint begun = {};  // the time of `first`
};

// `lease` stays empty if there is nothing to observe.
[[nodiscard]] boost::asio::awaitable<void> begin_lease(Reader& reader, async::Clock& clock,
                                                       const Installation& installation,
                                                       std::optional<LeaseFacts>& lease, Findings& findings);
// Waits until a holder must have renewed the lease. `statusz` is the page of the manager that was asked.
[[nodiscard]] boost::asio::awaitable<void> end_lease(Reader& reader, async::Clock& clock,
                                                     const std::optional<Reading>& statusz, LeaseFacts& lease,
                                                     Findings& findings);

// The holder at the first time; empty if it is unknown.
[[nodiscard]] std::string holder_of(const std::optional<LeaseFacts>& lease);

void check_lease(const LeaseFacts& facts, Findings& findings);

}  // namespace keelson::doctor
