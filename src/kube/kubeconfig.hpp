// Kubeconfig files: what stands in them, several merged into one, and the connection that the current context means.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/config.hpp"

namespace keelson::kube {

struct Kubeconfig {
  struct Cluster {
    std::string server;
    std::string tls_server_name;
    bool insecure_skip_tls_verify = false;
    std::string certificate_authority;
    std::string certificate_authority_data;  // decoded
    std::string proxy_url;
    bool disable_compression = false;
    std::string exec_extension;  // JSON, for exec plugins
  };

  struct User {
    std::string client_certificate;
    std::string client_certificate_data;
    std::string client_key;
    std::string client_key_data;
    std::string token;
    std::string token_file;
    std::string username;
    std::string password;
    Impersonation impersonation;
    std::optional<std::string> auth_provider;  // its name
    std::optional<ExecPlugin> exec;
  };

  struct Context {
    std::string cluster;
    std::string user;
    std::string ns;
  };

  std::map<std::string, Cluster> clusters;
  std::map<std::string, User> users;
  std::map<std::string, Context> contexts;
  std::string current_context;
  std::vector<std::string> files;     // read into this, in order
  std::vector<std::string> warnings;  // for the log
};

// One file's text. Unknown fields are skipped, fields of another type, bad base64 and names that stand twice in
// one list are errors.
[[nodiscard]] Result<Kubeconfig> parse_kubeconfig(std::string_view text);

// Relative paths in it start from `directory`.
void resolve_paths(Kubeconfig& config, const std::string& directory);

// Whole entries, and the current context, are the first file's that has them; nothing is merged within an entry.
void merge_under(Kubeconfig& config, Kubeconfig&& later);

// The files of the list that exist, merged. A file that cannot be read or understood is an error.
[[nodiscard]] Result<Kubeconfig> load_kubeconfig_list(const std::vector<std::string>& paths,
                                                      const Environment& environment);

// The one file, which has to exist.
[[nodiscard]] Result<Kubeconfig> load_kubeconfig_file(const std::string& path, const Environment& environment);

// No file names a cluster; load_connection then tries the in-cluster configuration. The text begins as client-go's,
// which goes on with KUBERNETES_MASTER, a variable that is not read here.
inline constexpr const char* kNoConfiguration =
    "invalid configuration: no configuration has been provided, give --kubeconfig FILE or set the environment variable "
    "KUBECONFIG";

// The messages of client-go's validation of the current context, its user and cluster; empty: it can be used.
[[nodiscard]] std::optional<Error> validate_current_context(const Kubeconfig& config, const ReadFile& read_file);

// The connection of the current context. A user that does not exist means an anonymous one.
[[nodiscard]] Result<ConnectionConfig> resolve_connection(const Kubeconfig& config, const ReadFile& read_file);

}  // namespace keelson::kube
