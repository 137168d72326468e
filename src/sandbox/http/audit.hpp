// The audit log of requests over HTTP: an Event of audit.k8s.io/v1 for each request, as kube-apiserver writes it.
#pragma once

#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/endpoints.hpp"

namespace keelson::sandbox {

// Wraps the handler: `audit` is called with a line for each reply before the client receives the reply. The stage is
// ResponseComplete, or ResponseStarted for a watch. Requests without a known user are left out. The level is Metadata,
// and Request for writes of Leases, so that the line contains the holder.
[[nodiscard]] net::Handler with_audit(net::Handler handler, Endpoints& endpoints,
                                      std::function<void(const std::string& line)> audit);

}  // namespace keelson::sandbox
