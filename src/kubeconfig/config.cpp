#include "keelson/detail/kubeconfig/config.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "src/kubeconfig/in_cluster.hpp"
#include "src/kubeconfig/kubeconfig.hpp"

namespace keelson::kube {

namespace {

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
  auto config = find_connection(kubeconfig_flag, environment);
  if (!config) return config;
  KEELSON_TRY(set_proxy(environment, *config));
  if (config->proxy) config->source += ", through proxy " + config->proxy->url();
  return config;
}

}  // namespace keelson::kube
