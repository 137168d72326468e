// What an API server client is put together from: the world's edges, so that tests can script them.
#pragma once

#include <functional>
#include <memory>

#include "keelson/kube/api_server.hpp"
#include "src/kube/credentials.hpp"

namespace keelson::kube {

struct ApiServerParts {
  std::function<Result<std::unique_ptr<net::HttpClient>>(const net::TlsOptions&)> make_http;
  CredentialSources credentials;
};

[[nodiscard]] Result<std::unique_ptr<Client>> make_api_server(async::Clock& clock, base::Random& random, Logger log,
                                                              metrics::Registry& registry, ConnectionConfig config,
                                                              ApiServerOptions options, ApiServerParts parts);

}  // namespace keelson::kube
