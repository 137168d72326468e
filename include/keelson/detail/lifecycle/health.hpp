// /healthz and /readyz with the response bodies of controller-runtime, byte for byte.
//
// Pure functions: the server is make_health_service() (http_service.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/net/http.hpp"

namespace keelson::lifecycle {

struct Check {
  std::string name;  // the last part of its path, and a line of ?verbose; unique in its list
  // Called for every probe, on the loop: it must not wait and must not throw. The text of its Error is only in the
  // response of the single check (/readyz/caches); /readyz itself says "reason withheld".
  std::function<Result<void>()> run;
  // False: available under its own path only (/readyz/fresh), not part of /healthz or /readyz.
  bool in_sum = true;
};

// Empty lists are healthy.
struct HealthChecks {
  std::vector<Check> healthz;
  std::vector<Check> readyz;
};

// The response to /healthz, /healthz/<check>, /readyz and /readyz/<check>, with ?verbose and ?exclude=<check>. 200
// "ok"; 500 if a check that is not excluded fails, with a line for each check; 404 for an unknown path or check. The
// method of the request is not checked.
[[nodiscard]] net::Response answer_health(const HealthChecks& checks, const net::Request& request);

}  // namespace keelson::lifecycle
