// The rest_client_* series of a client.
#pragma once

#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::kube {

class RestClientMetrics {
 public:
  // `server` is the URL of the API server.
  RestClientMetrics(metrics::Registry& registry, std::string_view server);

  // `code` is the HTTP status, or "<error>" if there was no reply.
  void count(Verb verb, std::string_view code);
  void observe(Verb verb, async::Duration lasted);
  // The final reply to a request is this error, after all retries. Counted if it has a cause that a person must remove.
  void reject(const ApiRequest& request, const Error& error);

 private:
  metrics::CounterFamily& requests_total_;
  metrics::HistogramFamily& request_seconds_;
  metrics::CounterFamily& rejected_total_;
  std::string host_;
};

}  // namespace keelson::kube
