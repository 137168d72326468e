// Protects the pages of the health port, which is plain HTTP on the network of the pods.
#pragma once

#include <string>
#include <vector>

#include "keelson/access/authorized.hpp"
#include "keelson/manager/http_service.hpp"

namespace keelson::program {

// How clients of the pages are authenticated. All references must outlive the endpoints.
struct EndpointGuard {
  async::Clock& clock;
  base::Random& random;
  Logger log;
  kube::Client& api_server;  // sends the reviews
  std::string audience;      // access::AuthorizedOptions
};

// The same endpoints with a common authentication and authorization (access/authorized.hpp). Only a request from
// loopback needs none: `kubectl port-forward`, a container of the pod, or a browser on the same machine. Its header
// Host must be a loopback name, so that a web page cannot reach the port under a name of its own.
[[nodiscard]] std::vector<manager::HttpEndpoint> guarded(std::vector<manager::HttpEndpoint> endpoints,
                                                         const EndpointGuard& guard);

// True if the request comes from loopback and is addressed to it.
[[nodiscard]] bool is_local(const net::Request& request);

}  // namespace keelson::program
