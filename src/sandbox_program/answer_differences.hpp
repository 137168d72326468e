// What differs between the answers of two API servers to the same dry-run create.
//
// Pure functions. What no two servers have in common is not compared: uids, versions, times, and the addresses, ports
// and names that a server selects.
#pragma once

#include <string>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::sandbox_program {

// Texts of a rejection are the server's own.
struct Answer {
  int code = 0;
  std::string reason;   // of a rejection: metav1.Status.reason
  std::string message;  // of a rejection
  std::string object;   // otherwise, JSON
};

// A line for each difference, at most 100: "spec.replicas: 1 there, absent here". `sent` is the object of the request.
// `there` is the cluster's answer, `here` the sandbox's.
[[nodiscard]] std::vector<std::string> differences(json::View sent, const Answer& there, const Answer& here);

}  // namespace keelson::sandbox_program
