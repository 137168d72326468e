// The parts of the API server client that do I/O, so that tests can replace them.
#pragma once

#include <functional>
#include <memory>

#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/kubeconfig/credentials.hpp"
#include "keelson/detail/net/http_client.hpp"

namespace keelson::kube {

struct ApiServerParts {
  std::function<Result<std::unique_ptr<net::HttpClient>>(const tls::TlsOptions&)> make_http;
  CredentialSources credentials;
};

[[nodiscard]] Result<std::unique_ptr<Client>> make_rest_client(async::Clock& clock, base::Random& random, Logger log,
                                                               metrics::Registry& registry, ConnectionConfig config,
                                                               RestClientOptions options, ApiServerParts parts);

// The HTTP options of the real client, except `tls`.
[[nodiscard]] net::ClientOptions http_options(const ConnectionConfig& config, const RestClientOptions& options);

}  // namespace keelson::kube
