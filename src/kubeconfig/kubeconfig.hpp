// Kubeconfig files: parsing, merging, validation, and the connection of the current context.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/schema/describe.hpp"

namespace keelson::kube {

struct Kubeconfig {
  struct ClusterExtension {
    std::string name;
    RawJson content;
  };

  struct Cluster {
    std::string server;
    std::string tls_server_name;
    bool insecure_skip_tls_verify = false;
    std::string certificate_authority;
    std::string certificate_authority_data;  // decoded
    std::string proxy_url;
    bool disable_compression = false;
    std::vector<ClusterExtension> extensions;
  };

  struct AuthProvider {
    std::string name;
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
    std::optional<AuthProvider> auth_provider;
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
  std::vector<std::string> files;     // the source of this, in order
  std::vector<std::string> warnings;  // for the log
};

// Parses the text of one file. Unknown fields are ignored; wrong types, bad base64 and a name that occurs twice in a
// list are errors.
[[nodiscard]] Result<Kubeconfig> parse_kubeconfig(std::string_view text);

// Makes relative paths absolute; `directory` is that of the file.
void resolve_paths(Kubeconfig& config, const std::string& directory);

// For each entry, and for the current context, the first file that has it wins. Entries are not merged with each other.
void merge_under(Kubeconfig& config, Kubeconfig&& later);

// The existing files of the list, merged. A file that cannot be read or parsed is an error.
[[nodiscard]] Result<Kubeconfig> load_kubeconfig_list(const std::vector<std::string>& paths,
                                                      const Environment& environment);

// A single file, which must exist.
[[nodiscard]] Result<Kubeconfig> load_kubeconfig_file(const std::string& path, const Environment& environment);

// Several error messages as one, as apimachinery's Aggregate prints them: a single message unchanged, several as
// "[a, b]"; a repeated message occurs once.
[[nodiscard]] std::string aggregated(const std::vector<std::string>& messages);

// No file names a cluster; load_connection() then tries the in-cluster configuration. The text begins as client-go's,
// which continues with KUBERNETES_MASTER, a variable that is not read here.
inline constexpr const char* kNoConfiguration =
    "invalid configuration: no configuration has been provided, give --kubeconfig FILE or set the environment variable "
    "KUBECONFIG";

// The errors of client-go's validation of the current context, its user and its cluster; nullopt if it is valid.
[[nodiscard]] std::optional<Error> validate_current_context(const Kubeconfig& config, const ReadFile& read_file);

// The connection of the current context. If the user does not exist, requests are anonymous, as in client-go.
[[nodiscard]] Result<ConnectionConfig> resolve_connection(const Kubeconfig& config, const ReadFile& read_file);

}  // namespace keelson::kube
