// The audit log of requests over HTTP: one Event of audit.k8s.io/v1 for each, as kube-apiserver writes it.
#pragma once

#include "keelson/net/http_server.hpp"
#include "src/sandbox/endpoints.hpp"

namespace keelson::sandbox {

// The same handler, and `audit` gets a line for each reply before the client does: of stage ResponseComplete, or
// ResponseStarted for a watch. Requests without a known user are left out. Level Metadata, and Request for writes of
// Leases, so that the line says who holds them.
[[nodiscard]] net::Handler with_audit(net::Handler handler, Endpoints& endpoints,
                                      std::function<void(const std::string& line)> audit);

}  // namespace keelson::sandbox
