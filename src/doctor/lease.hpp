// The lease of leader election: its holder, whether it is renewed, and whether several managers lead.
#pragma once

#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/doctor/findings.hpp"
#include "src/doctor/reader.hpp"

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
  std::string problem = {};  // why the manager that was asked cannot read or write it; empty: it can, or is unknown
  async::WallTime now;       // of the API server, at the time of `second`
};

void check_lease(const LeaseFacts& facts, Findings& findings);

}  // namespace keelson::doctor
