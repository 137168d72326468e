#include "src/kubeconfig/in_cluster.hpp"

#include <string>
#include <string_view>

#include "keelson/detail/base/text.hpp"

namespace keelson::kube {

namespace {

constexpr const char* kTokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";
constexpr const char* kRootCaFile = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";
constexpr const char* kNamespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

// "https://10.96.0.1:443", "https://[fd00::1]:443".
std::string service_url(const std::string& host, const std::string& port) {
  bool is_ipv6 = host.find(':') != std::string::npos;
  return "https://" + (is_ipv6 ? "[" + host + "]" : host) + ":" + port;
}

// If the CA cannot be used, client-go logs that and trusts the system's CAs.
void load_root_ca(const Environment& environment, ConnectionConfig& config) {
  std::string problem;
  auto ca = environment.read_file(kRootCaFile);
  if (!ca) {
    problem = ca.error().text;
  } else if (!*ca) {
    problem = std::string("open ") + kRootCaFile + ": no such file or directory";
  } else if ((*ca)->find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
    problem =
        std::string("error reading ") + kRootCaFile + ": data does not contain any valid RSA or ECDSA certificates";
  } else {
    config.tls.ca_pem = std::move(**ca);
    config.ca_file = kRootCaFile;
    return;
  }
  config.warnings.push_back(std::string("Expected to load root CA config from ") + kRootCaFile +
                            ", but got err: " + problem);
}

std::string pod_namespace(const Environment& environment) {
  auto file = environment.read_file(kNamespaceFile);
  if (file && *file && !base::trim(**file).empty()) return std::string(base::trim(**file));
  auto variable = environment.variable("POD_NAMESPACE");
  return variable.empty() ? "default" : variable;
}

}  // namespace

bool in_cluster_possible(const Environment& environment) {
  if (environment.variable("KUBERNETES_SERVICE_HOST").empty()) return false;
  if (environment.variable("KUBERNETES_SERVICE_PORT").empty()) return false;
  auto token = environment.read_file(kTokenFile);
  return token && *token;
}

Result<ConnectionConfig> in_cluster_connection(const Environment& environment) {
  auto host = environment.variable("KUBERNETES_SERVICE_HOST");
  auto port = environment.variable("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return invalid_error(
        "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined");
  }
  auto token = environment.read_file(kTokenFile);
  if (!token) return std::move(token).error();
  if (!*token) return invalid_error(std::string("open ") + kTokenFile + ": no such file or directory");

  ConnectionConfig config;
  config.server = service_url(host, port);
  auto url = net::parse_server_url(config.server);
  if (!url) return std::move(url).error();
  config.url = std::move(*url);
  config.token = std::string(base::trim(**token));
  config.token_file = kTokenFile;
  config.ns = pod_namespace(environment);
  config.source = "in-cluster";
  load_root_ca(environment, config);
  return config;
}

}  // namespace keelson::kube
