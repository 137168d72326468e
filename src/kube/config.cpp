#include "keelson/kube/config.hpp"

#include <algorithm>

#include "src/kube/in_cluster.hpp"
#include "src/kube/kubeconfig.hpp"
#include "src/kube/proxy_url.hpp"

namespace keelson::kube {

namespace {

// filepath.SplitList without repetitions and empty names.
std::vector<std::string> split_paths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    std::string path(list.substr(0, list.find(':')));
    list.remove_prefix(std::min(list.size(), path.size() + 1));
    bool is_new = !path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end();
    if (is_new) paths.push_back(std::move(path));
  }
  return paths;
}

// With nothing in the files client-go takes the cluster around us after all.
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
  return invalid(config.error().text + "; unable to load in-cluster config: " + in_cluster.error().text);
}

Result<ConnectionConfig> find_connection(const std::string& kubeconfig_flag, const Environment& environment) {
  if (!kubeconfig_flag.empty()) {
    return connection_of(load_kubeconfig_file(kubeconfig_flag, environment), environment);
  }
  auto list = environment.variable("KUBECONFIG");
  if (!list.empty()) return connection_of(load_kubeconfig_list(split_paths(list), environment), environment);
  return home_or_cluster(environment);
}

// Going around a proxy that someone configured would look like a firewall's fault: it is refused, and variables that
// other programs share with us get a warning.
Result<ConnectionConfig> without_proxy(ConnectionConfig config, const Environment& environment) {
  if (!config.proxy_url.empty()) {
    return invalid(config.source + ": proxy-url " + redacted_url(config.proxy_url) +
                   ": this version does not connect through a proxy; remove proxy-url where the API server can be "
                   "reached directly");
  }
  const std::string name = config.url.origin.tls ? "HTTPS_PROXY" : "HTTP_PROXY";
  std::string lower = config.url.origin.tls ? "https_proxy" : "http_proxy";
  auto used = environment.variable(name).empty() ? lower : name;
  if (!environment.variable(used).empty()) {
    config.warnings.push_back(used + " is set: this version connects to the API server directly, without a proxy");
  }
  return config;
}

}  // namespace

Result<ConnectionConfig> load_connection(const std::string& kubeconfig_flag, const Environment& environment) {
  auto config = find_connection(kubeconfig_flag, environment);
  if (!config) return config;
  return without_proxy(std::move(*config), environment);
}

}  // namespace keelson::kube
