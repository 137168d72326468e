#include "keelson/async/timeout.hpp"
#include "keelson/json/writer.hpp"
#include "src/doctor/cache_check.hpp"
#include "src/doctor/examination.hpp"
#include "src/doctor/limits.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// The API server removes the header Authorization from a request that it forwards to a pod.
constexpr const char* kTokenHeader = "X-Keelson-Authorization";
constexpr int kTokenSeconds = 600;

kube::ApiRequest statusz_of(const std::string& ns, const HealthEndpoint& endpoint, const std::string& token) {
  kube::ApiRequest request;
  request.raw_path = kube::pods().path(ns, endpoint.pod + ":" + std::to_string(endpoint.port), "proxy") + "/statusz";
  request.headers = {{"Accept", "application/json"}};
  if (!token.empty()) request.headers.emplace_back(kTokenHeader, "Bearer " + token);
  return request;
}

// A token of the manager's own account with the operator's name as its audience, as `explain` requests it. It is not
// stored.
kube::ApiRequest token_of(const Deployed& deployed, const std::string& audience) {
  json::Writer body;
  body.begin_object().field("apiVersion", "authentication.k8s.io/v1").field("kind", "TokenRequest");
  body.key("spec").begin_object().key("audiences").begin_array().string(audience).end_array();
  body.field("expirationSeconds", kTokenSeconds).end_object().end_object();
  auto request = get_of({"", "v1", "ServiceAccount", "serviceaccounts"}, deployed.ns, deployed.account);
  request.verb = kube::Verb::kCreate;
  request.subresource = "token";
  request.body = std::move(body).take();
  return request;
}

}  // namespace

awaitable<void> Examination::examine_caches() {
  if (!has_deployment() || !pods_.back().reply) co_return;
  const auto holder = lease_ && lease_->first ? text_at(lease_->first->root(), {"spec", "holderIdentity"}) : "";
  const auto endpoint = health_endpoint(pods_.back().reply->root(), holder);
  if (!endpoint) co_return;
  Reading statusz = timeout_error("no answer within " + std::to_string(limits::kStatuszTime.count()) + "s");
  co_await async::finish_within(clock_, limits::kStatuszTime, read_statusz(*endpoint, statusz));
  check_caches(statusz, report_.findings);
}

awaitable<void> Examination::read_statusz(const HealthEndpoint& endpoint, Reading& statusz) {
  Requests page;
  page.emplace_back(statusz_of(deployed_.ns, endpoint, ""));
  co_await reader_.read(page);
  statusz = std::move(page.front().reply);
  // The pages of this manager are protected.
  if (statusz || statusz.error().code != 401) co_return;
  Requests token;
  token.emplace_back(token_of(deployed_, examined_.name.text()));
  co_await reader_.read(token);
  if (!token.front().reply) {
    statusz = std::move(token.front().reply).error();
    co_return;
  }
  Requests again;
  again.emplace_back(statusz_of(deployed_.ns, endpoint, text_at(token.front().reply->root(), {"status", "token"})));
  co_await reader_.read(again);
  statusz = std::move(again.front().reply);
}

}  // namespace keelson::doctor
