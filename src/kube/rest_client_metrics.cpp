#include "src/kube/rest_client_metrics.hpp"

#include <chrono>

#include "keelson/detail/metrics/names.hpp"
#include "src/kube/api_request.hpp"
#include "src/kube/rejection_cause.hpp"

namespace keelson::kube {

namespace {

// host[:port] of the server's URL: the label value that client-go uses in its metrics.
std::string host_of(std::string_view server) {
  auto scheme = server.find("://");
  if (scheme != std::string_view::npos) server.remove_prefix(scheme + 3);
  return std::string(server.substr(0, server.find('/')));
}

}  // namespace

RestClientMetrics::RestClientMetrics(metrics::Registry& registry, std::string_view server)
    : requests_total_(registry.counter(metrics::kRestClientRequestsTotal.name, metrics::kRestClientRequestsTotal.help,
                                       {"code", "method", "host"})),
      request_seconds_(registry.histogram(metrics::kRestClientRequestDurationSeconds.name,
                                          metrics::kRestClientRequestDurationSeconds.help, {"verb", "host"},
                                          metrics::request_seconds_buckets())),
      rejected_total_(registry.counter(
          "keelson_rejected_requests_total",
          "Number of requests that the API server rejected after all retries, by cause: unauthenticated (401), "
          "permission (RBAC), quota, admission (a policy, a limit or a webhook denies), webhook (one could not be "
          "called) or schema (it lacks a field of an apply).",
          {"cause", "verb", "resource"})),
      host_(host_of(server)) {}

void RestClientMetrics::count(Verb verb, std::string_view code) {
  requests_total_.with({code, method_of(verb), host_}).increment();
}

void RestClientMetrics::observe(Verb verb, async::Duration lasted) {
  request_seconds_.with({method_of(verb), host_}).observe(std::chrono::duration<double>(lasted).count());
}

void RestClientMetrics::reject(const ApiRequest& request, const Error& error) {
  const auto cause = rejection_cause(error);
  if (cause.empty()) return;
  rejected_total_.with({cause, verb_name(request.verb), target_of(request)}).increment();
}

}  // namespace keelson::kube
