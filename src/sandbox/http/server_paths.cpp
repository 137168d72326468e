#include "src/sandbox/http/server_paths.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// The checks of kube-apiserver 1.36, in its order. All of them pass: this server is ready when it accepts connections.
constexpr std::string_view kFirstReady = "ping log etcd etcd-readiness informer-sync";
constexpr std::string_view kFirstLive = "ping log loopback-serving-certificate etcd";
constexpr std::string_view kHooks =
    "start-apiserver-admission-initializer generic-apiserver-start-informers priority-and-fairness-config-consumer "
    "priority-and-fairness-filter storage-object-count-tracker-hook start-apiextensions-informers "
    "start-apiextensions-controllers crd-informer-synced start-system-namespaces-controller "
    "peer-endpoint-reconciler-controller start-cluster-authentication-info-controller "
    "start-kube-apiserver-identity-lease-controller start-kube-apiserver-identity-lease-garbage-collector "
    "storage-readiness start-legacy-token-tracking-controller start-service-ip-repair-controllers "
    "rbac/bootstrap-roles scheduling/bootstrap-system-priority-classes priority-and-fairness-config-producer "
    "bootstrap-controller start-kubernetes-service-cidr-controller aggregator-reload-proxy-client-cert "
    "start-kube-aggregator-informers apiservice-status-local-available-controller "
    "apiservice-status-remote-available-controller apiservice-registration-controller "
    "apiservice-discovery-controller kube-apiserver-autoregistration";
constexpr std::string_view kLastHooks = "apiservice-openapi-controller apiservice-openapiv3-controller";

constexpr const char* kEndpoints[] = {"/healthz", "/livez", "/readyz"};

std::vector<std::string> checks_of(std::string_view endpoint) {
  const bool is_readiness = endpoint == "/readyz";
  auto checks = words_of(is_readiness ? kFirstReady : kFirstLive);
  for (const auto& hook : words_of(kHooks)) checks.push_back("poststarthook/" + hook);
  checks.emplace_back("autoregister-completion");
  for (const auto& hook : words_of(kLastHooks)) checks.push_back("poststarthook/" + hook);
  if (is_readiness) checks.emplace_back("shutdown");
  return checks;
}

struct HealthQuery {
  bool is_verbose = false;
  std::set<std::string> excluded;
};

HealthQuery health_query(std::string_view query) {
  HealthQuery asked;
  for (auto parameter : parts_of(query, '&')) {
    const auto equals = std::min(parameter.find('='), parameter.size());
    const auto name = parameter.substr(0, equals);
    if (name == "verbose") asked.is_verbose = true;
    auto value = base::percent_decode(parameter.substr(std::min(equals + 1, parameter.size())));
    if (name == "exclude" && value) asked.excluded.insert(std::move(*value));
  }
  return asked;
}

std::string verbose_health(std::string_view endpoint, HealthQuery asked) {
  std::string text;
  for (const auto& check : checks_of(endpoint)) {
    text += "[+]" + check + (asked.excluded.erase(check) > 0 ? " excluded: ok\n" : " ok\n");
  }
  std::string unknown;
  for (const auto& name : asked.excluded) unknown += (unknown.empty() ? "" : ",") + base::quote_go(name);
  if (!unknown.empty()) text += "warn: some health checks cannot be excluded: no matches for " + unknown + "\n";
  return text + std::string(endpoint.substr(1)) + " check passed\n";
}

}  // namespace

net::Response index_of_paths(const Kinds& kinds) {
  std::set<std::string> paths{"/", "/api", "/apis", "/apis/", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version"};
  paths.erase("/");
  for (const char* endpoint : kEndpoints) {
    paths.insert(endpoint);
    for (const auto& check : checks_of(endpoint)) paths.insert(endpoint + ("/" + check));
  }
  for (const auto& group : kinds.groups()) {
    const auto path = group.name.empty() ? "/api" : "/apis/" + group.name;
    paths.insert(path);
    for (const auto& version : group.versions) paths.insert(path + "/" + version);
  }
  const auto body = Tree::object({{"paths", text_list({paths.begin(), paths.end()})}});
  return {200, {{"Content-Type", "application/json"}}, body.text()};
}

bool is_health_path(const std::string& path) {
  return std::ranges::any_of(
      kEndpoints, [&path](const std::string endpoint) { return path == endpoint || path.starts_with(endpoint + "/"); });
}

net::Response health_of(const std::string& target) {
  const auto question = std::min(target.find('?'), target.size());
  const auto path = target.substr(0, question);
  const auto endpoint = path.substr(0, path.find('/', 1));
  const auto asked = health_query(std::string_view(target).substr(std::min(question + 1, target.size())));
  if (path != endpoint && !contains(checks_of(endpoint), path.substr(endpoint.size() + 1))) {
    return net::not_found_response();
  }
  const bool is_verbose = path == endpoint && asked.is_verbose;
  return net::text_response(200, is_verbose ? verbose_health(endpoint, asked) : "ok");
}

}  // namespace keelson::sandbox
