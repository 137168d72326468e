#include "keelson/detail/kubeconfig/config.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/kubeconfig/entry_files.hpp"
#include "src/kubeconfig/kubeconfig.hpp"

namespace keelson::kube {

namespace {

// The service account of a pod.
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
  auto ca = required_file(kRootCaFile, environment.read_file);
  if (!ca) {
    problem = ca.error().text;
  } else if (ca->find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
    problem =
        std::string("error reading ") + kRootCaFile + ": data does not contain any valid RSA or ECDSA certificates";
  } else {
    config.tls.ca_pem = std::move(*ca);
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

// Whether host, port and token all exist.
bool in_cluster_possible(const Environment& environment) {
  if (environment.variable("KUBERNETES_SERVICE_HOST").empty()) return false;
  if (environment.variable("KUBERNETES_SERVICE_PORT").empty()) return false;
  return required_file(kTokenFile, environment.read_file).has_value();
}

// The in-cluster configuration of a pod: host and port of the API server's Service, and the files of the service
// account.
Result<ConnectionConfig> in_cluster_connection(const Environment& environment) {
  auto host = environment.variable("KUBERNETES_SERVICE_HOST");
  auto port = environment.variable("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return invalid_error(
        "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined");
  }
  KEELSON_LET(const auto token, required_file(kTokenFile, environment.read_file));

  ConnectionConfig config;
  config.server = service_url(host, port);
  KEELSON_LET(config.url, net::parse_server_url(config.server));
  config.token = std::string(base::trim(token));
  config.token_file = kTokenFile;
  config.ns = pod_namespace(environment);
  config.source = "in-cluster";
  load_root_ca(environment, config);
  return config;
}

// filepath.SplitList without duplicates and empty names.
std::vector<std::string> split_paths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    std::string path(list.substr(0, list.find(':')));
    list.remove_prefix(std::min(list.size(), path.size() + 1));
    bool is_new = !path.empty() && std::ranges::find(paths, path) == paths.end();
    if (is_new) paths.push_back(std::move(path));
  }
  return paths;
}

// If the files are empty, client-go uses the in-cluster configuration after all.
Result<ConnectionConfig> connection_of(Result<Kubeconfig> kubeconfig, const Environment& environment) {
  if (!kubeconfig) return std::move(kubeconfig).error();
  auto config = resolve_connection(*kubeconfig, environment.read_file);
  if (config || config.error().text != kNoConfiguration) return config;
  if (!in_cluster_possible(environment)) return config;
  return in_cluster_connection(environment);
}

Result<ConnectionConfig> home_or_cluster(const Environment& environment) {
  auto in_cluster = in_cluster_connection(environment);
  if (in_cluster) return in_cluster;
  std::vector<std::string> paths;
  if (!environment.home.empty()) paths.push_back(environment.home + "/.kube/config");
  auto config = connection_of(load_kubeconfig_list(paths, environment), environment);
  if (config || config.error().text != kNoConfiguration) return config;
  return invalid_error(config.error().text + "; unable to load in-cluster config: " + in_cluster.error().text);
}

// `list` is the value of KUBECONFIG.
Result<ConnectionConfig> listed_connection(const std::string& list, const Environment& environment) {
  auto kubeconfig = load_kubeconfig_list(split_paths(list), environment);
  const auto warnings = kubeconfig ? kubeconfig->warnings : std::vector<std::string>();
  const bool are_all_missing = kubeconfig && kubeconfig->files.empty();
  auto config = connection_of(std::move(kubeconfig), environment);
  if (config && are_all_missing) config->warnings = warnings;  // of the in-cluster configuration
  if (config || !are_all_missing || config.error().text != kNoConfiguration) return config;
  return invalid_error("KUBECONFIG=" + list +
                       ": no such file or directory; correct the variable, or unset it to use ~/.kube/config");
}

Result<ConnectionConfig> find_connection(const std::string& kubeconfig_flag, const Environment& environment) {
  if (!kubeconfig_flag.empty()) {
    return connection_of(load_kubeconfig_file(kubeconfig_flag, environment), environment);
  }
  auto list = environment.variable("KUBECONFIG");
  return list.empty() ? home_or_cluster(environment) : listed_connection(list, environment);
}

// A proxy-url of the kubeconfig ignores NO_PROXY, as in client-go.
Result<void> set_proxy(const Environment& environment, ConnectionConfig& config) {
  if (config.proxy) return {};
  const auto& origin = config.url.origin;
  KEELSON_LET(config.proxy, net::proxy_from_environment(environment.variable, origin.tls, origin.host, origin.port));
  return {};
}

}  // namespace

Result<ConnectionConfig> load_connection(const std::string& kubeconfig_flag, const Environment& environment) {
  KEELSON_LET(auto config, find_connection(kubeconfig_flag, environment));
  KEELSON_TRY(set_proxy(environment, config));
  if (config.proxy) config.source += ", through proxy " + config.proxy->url();
  return config;
}

}  // namespace keelson::kube
