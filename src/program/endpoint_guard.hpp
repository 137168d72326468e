// Protects the pages of the health port, which is plain HTTP on the network of the pods.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/access/authorized.hpp"
#include "keelson/detail/lifecycle/http_service.hpp"

namespace keelson::program {

// How clients of the pages are authenticated. All references must outlive the endpoints.
struct EndpointGuard {
  async::Clock& clock;
  base::Random& random;
  Logger log;
  kube::Client& api_server;  // sends the reviews
  std::string audience;      // access::AuthorizedOptions
};

// The value of access::kUserHeader for a request from loopback, which has no user.
inline constexpr std::string_view kLocalUser = "loopback";

// The same endpoints with a common authentication and authorization (access/authorized.hpp). Only a request from
// loopback needs none: `kubectl port-forward`, a container of the pod, or a browser on the same machine. Its header
// Host must be a loopback name, so that a web page cannot reach the port under a name of its own.
[[nodiscard]] std::vector<lifecycle::HttpEndpoint> guarded(std::vector<lifecycle::HttpEndpoint> endpoints,
                                                           const EndpointGuard& guard);

// The same endpoints for every client that reaches the port. Only a request from loopback whose header Host does not
// name loopback is rejected with 403: a web page in a browser on the same machine cannot read them under a name of its
// own. The requests have no user (without_claimed_user).
[[nodiscard]] std::vector<lifecycle::HttpEndpoint> unguarded(std::vector<lifecycle::HttpEndpoint> endpoints);

// The same endpoints for every client: access::user_of() is empty, because the user that a client claims in the header
// is not authenticated.
[[nodiscard]] std::vector<lifecycle::HttpEndpoint> without_claimed_user(std::vector<lifecycle::HttpEndpoint> endpoints);

// True if the request is addressed to loopback and comes from exactly 127.0.0.1 or ::1. Sidecars forward requests of
// the network from other addresses of 127.0.0.0/8, as Istio's does from 127.0.0.6.
[[nodiscard]] bool is_local(const net::Request& request);

}  // namespace keelson::program
