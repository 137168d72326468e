// An entry `cluster:` of a kubeconfig: its fields, checking them, and applying them to a connection. Its
// struct is Cluster in kubeconfig.hpp.
#pragma once

#include <string>
#include <vector>

#include "src/kubeconfig/kubeconfig.hpp"

namespace keelson::kube {

// The error of check_cluster() if there is no entry.
inline constexpr const char* kEmptyCluster = "cluster has no server defined";

void describe(Description& d, Kubeconfig::ClusterExtension& extension);
void describe(Description& d, Kubeconfig::Cluster& cluster);

// Makes relative paths absolute; `directory` is that of the file.
void resolve_cluster_paths(Kubeconfig::Cluster& cluster, const std::string& directory);

// Adds the errors of client-go's validation. `cluster` may be null: there is no entry of that name.
void check_cluster(const std::string& name, const Kubeconfig::Cluster* cluster, const ReadFile& read_file,
                   std::vector<std::string>& messages);

// `owner`, also in user_entry.hpp, is for errors: `cluster "c" in kubeconfig /k, context "dev"`.
[[nodiscard]] Result<void> apply_server(const std::string& owner, const Kubeconfig::Cluster& cluster,
                                        ConnectionConfig& config);
// After apply_server(), for a server with TLS.
[[nodiscard]] Result<void> apply_server_identity(const std::string& owner, const Kubeconfig::Cluster& cluster,
                                                 const ReadFile& read_file, ConnectionConfig& config);

// spec.cluster of the exec plugin's input, after the cluster has been applied to `config`.
[[nodiscard]] std::string exec_cluster_info(const Kubeconfig::Cluster& cluster, const ConnectionConfig& config);

}  // namespace keelson::kube
