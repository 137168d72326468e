// /healthz and /readyz as controller-runtime answers them: byte for byte what probes and people expect.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/net/http.hpp"

namespace keelson::manager {

struct Check {
  std::string name;
  // An error's message is shown by the single check only: the aggregate says "reason withheld".
  std::function<Result<void>()> run;
  // False: asked for by name (/readyz/fresh), no part of the sum.
  bool in_sum = true;
};

struct HealthChecks {
  std::vector<Check> healthz;
  std::vector<Check> readyz;
};

// Answers GET /healthz, /healthz/<check>, /readyz, /readyz/<check>, with ?verbose and ?exclude=<check>.
[[nodiscard]] net::Response answer_health(const HealthChecks& checks, const net::Request& request);

}  // namespace keelson::manager
