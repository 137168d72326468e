// An entry `user:` of a kubeconfig: its fields, checking them, and applying them to a connection.
// A new field goes into Kubeconfig::User (kubeconfig.hpp), into the functions here, into ConnectionConfig
// (keelson/detail/kubeconfig/config.hpp),
// and into credentials.cpp, which sends it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/kubeconfig/kubeconfig.hpp"

namespace keelson::kube {

void describe(Description& d, std::pair<std::string, std::string>& variable);
void describe(Description& d, ExecPlugin& exec);
void describe(Description& d, Kubeconfig::AuthProvider& provider);
void describe(Description& d, Kubeconfig::User& user);

// Makes relative paths absolute; `directory` is that of the file.
void resolve_user_paths(Kubeconfig::User& user, const std::string& directory);

// Adds the errors of client-go's validation.
void check_user(const std::string& name, const Kubeconfig::User& user, const ReadFile& read_file,
                std::vector<std::string>& messages);

// `owner` is for errors, as in cluster_entry.hpp.
[[nodiscard]] Result<void> apply_impersonation(const std::string& owner, const Kubeconfig::User& user,
                                               ConnectionConfig& config);
// `cluster` is that of the context, already applied: an exec plugin may read it.
[[nodiscard]] Result<void> apply_credentials(const std::string& owner, const Kubeconfig::User& user,
                                             const Kubeconfig::Cluster& cluster, const ReadFile& read_file,
                                             ConnectionConfig& config);
[[nodiscard]] bool has_credentials(const Kubeconfig::User& user);

}  // namespace keelson::kube
