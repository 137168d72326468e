// Connections from kubeconfigs of a test.
#pragma once

#include <string>

#include "keelson/detail/kubeconfig/config.hpp"
#include "test/unit/kubeconfig/fake_environment.hpp"

namespace keelson::kube::fixtures {

inline std::string kubeconfig(const std::string& cluster, const std::string& user = "{token: t}") {
  return "contexts: [{name: dev, context: {cluster: c, user: u, namespace: team}}]\ncurrent-context: dev\n"
         "clusters: [{name: c, cluster: " +
         cluster + "}]\nusers: [{name: u, user: " + user + "}]\n";
}

inline std::string for_server(const std::string& server) { return kubeconfig("{server: '" + server + "'}"); }

inline Result<ConnectionConfig> load(FakeEnvironment& files, const std::string& flag = "") {
  return load_connection(flag, files.environment());
}

inline std::string error_of(FakeEnvironment& files, const std::string& text) {
  files.file("/k", text);
  auto config = load(files, "/k");
  return config ? "no error" : config.error().text;
}

}  // namespace keelson::kube::fixtures
