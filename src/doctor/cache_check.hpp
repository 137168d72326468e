// The caches of the running manager, by its /statusz: which watches fail, since when, and why.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/doctor/findings.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

// A running pod of the manager, and its health port.
struct HealthEndpoint {
  std::string pod;
  int port = 8081;
};

// The pod whose name begins the identity of the lease's holder, otherwise the first one that runs; nullopt if none
// does.
[[nodiscard]] std::optional<HealthEndpoint> health_endpoint(json::View pods, std::string_view holder);

// `statusz` is the page as JSON. If it could not be read, that is only noted in the summary: a firewall may close the
// port to the API server.
void check_caches(const Reading& statusz, Findings& findings);

}  // namespace keelson::doctor
