// Finding the API server, as include/keelson/detail/kubeconfig/config.hpp shows it.
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/kubeconfig/config.hpp"

namespace kubeconfig_example {

namespace kube = keelson::kube;

// [load]
// Before the event loop starts: load_connection reads files and blocks.
keelson::Result<kube::ConnectionConfig> find_api_server(const std::string& kubeconfig_flag,
                                                        const keelson::Logger& log) {
  KEELSON_LET(auto config, kube::load_connection(kubeconfig_flag, kube::process_environment()));
  for (const auto& warning : config.warnings) log.info(warning);
  log.info("Found the API server", {{"server", config.server}, {"source", config.source}});
  return config;
}
// [end]

}  // namespace kubeconfig_example
