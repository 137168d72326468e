#include <algorithm>
#include <string>
#include <string_view>

#include "keelson/base/go_text.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/kubeconfig/exec_credential.hpp"
#include "src/kubeconfig/kubeconfig.hpp"
#include "src/kubeconfig/proxy_url.hpp"

namespace keelson::kube {

namespace {

using Cluster = Kubeconfig::Cluster;
using User = Kubeconfig::User;

template <class Entry>
Entry entry_or_empty(const std::map<std::string, Entry>& entries, const std::string& name) {
  auto found = entries.find(name);
  return found == entries.end() ? Entry() : found->second;
}

Result<std::string> required_file(const std::string& path, const ReadFile& read_file) {
  KEELSON_LET(auto content, read_file(path));
  if (!content) return invalid_error("open " + path + ": no such file or directory");
  return std::move(*content);
}

// Inline data wins over the file.
Result<std::string> data_or_file(const std::string& data, const std::string& path, const ReadFile& read_file) {
  if (!data.empty() || path.empty()) return data;
  return required_file(path, read_file);
}

Error unsendable(const std::string& field, const char* header) {
  return invalid_error(field + ": invalid header field value for " + base::quote_go(header));
}

// Without a scheme, client-go accepts a host, or host and port, and uses plain HTTP. Query and fragment are ignored.
Result<std::string> normalised_server(const std::string& server) {
  auto url = server.substr(0, server.find_first_of("?#"));
  auto scheme_end = url.find("://");
  bool has_scheme = scheme_end != std::string::npos && scheme_end > 0 && scheme_end == url.find_first_of(":/");
  if (!has_scheme) {
    auto slash = url.find('/');
    if (slash != std::string::npos && slash + 1 != url.size()) {
      return invalid_error("host must be a URL or a host:port pair: " + base::quote_go(redacted_url(server)));
    }
    url = "http://" + url;
  }
  if (userinfo_of(url)) return invalid_error("must not contain a user or password");
  return url;
}

// `owner`, here and below, is for errors: `cluster "c" in kubeconfig /k, context "dev"`.
Result<void> set_server(const std::string& owner, const Cluster& cluster, ConnectionConfig& config) {
  auto server = normalised_server(cluster.server);
  if (!server) return std::move(server).error().with_context("server of " + owner);
  auto url = net::parse_server_url(*server);
  if (!url) return std::move(url).error().with_context("server of " + owner);
  config.server = std::move(*server);
  config.url = std::move(*url);
  config.disable_compression = cluster.disable_compression;
  if (cluster.proxy_url.empty()) return {};
  auto proxy = net::parse_proxy_url(cluster.proxy_url, "proxy-url of " + config.source);
  if (!proxy) return std::move(proxy).error();
  config.proxy = std::move(*proxy);
  return {};
}

Result<void> set_server_identity(const std::string& owner, const Cluster& cluster, const ReadFile& read_file,
                                 ConnectionConfig& config) {
  bool has_ca = !cluster.certificate_authority.empty() || !cluster.certificate_authority_data.empty();
  if (has_ca && cluster.insecure_skip_tls_verify) {
    return invalid_error("insecure-skip-tls-verify of " + owner +
                         ": specifying a root certificates file with the insecure flag is not allowed");
  }
  config.tls.server_name = cluster.tls_server_name;
  config.tls.insecure_skip_verify = cluster.insecure_skip_tls_verify;
  if (!has_ca) return {};
  auto ca = data_or_file(cluster.certificate_authority_data, cluster.certificate_authority, read_file);
  if (!ca) return std::move(ca).error().with_context("certificate-authority of " + owner);
  config.tls.ca_pem = std::move(*ca);  // an empty file: no server is trusted
  if (cluster.certificate_authority_data.empty()) config.ca_file = cluster.certificate_authority;
  return {};
}

Result<void> set_client_certificate(const std::string& owner, const User& user, const ReadFile& read_file,
                                    ConnectionConfig& config) {
  if (user.client_certificate.empty() && user.client_certificate_data.empty()) return {};
  auto certificate = data_or_file(user.client_certificate_data, user.client_certificate, read_file);
  if (!certificate) return std::move(certificate).error().with_context("client-certificate of " + owner);
  auto key = data_or_file(user.client_key_data, user.client_key, read_file);
  if (!key) return std::move(key).error().with_context("client-key of " + owner);
  config.tls.certificate_pem = std::move(*certificate);
  config.tls.key_pem = std::move(*key);
  if (user.client_certificate_data.empty() && user.client_key_data.empty()) {
    config.certificate_file = user.client_certificate;
    config.key_file = user.client_key;
  }
  return {};
}

Result<void> set_token_or_password(const std::string& owner, const User& user, const ReadFile& read_file,
                                   ConnectionConfig& config) {
  config.token = user.token;
  config.token_file = user.token_file;
  if (user.token.empty() && !user.token_file.empty()) {
    auto token = required_file(user.token_file, read_file);
    if (!token) return std::move(token).error().with_context("tokenFile of " + owner);
    config.token = std::string(base::trim(*token));
  }
  config.username = user.username;
  config.password = user.password;
  if (!config.username.empty() && (!config.token.empty() || !config.token_file.empty())) {
    return invalid_error("username of " + owner + ": username/password or bearer token may be set, but not both");
  }
  if (net::is_header_value(config.token)) return {};
  return unsendable((user.token.empty() ? "tokenFile of " : "token of ") + owner, "Authorization");
}

// client-go runs a plugin only for a user without other credentials.
Result<void> set_plugin(const std::string& owner, const User& user, const Cluster& cluster, ConnectionConfig& config) {
  bool has_other = !config.token.empty() || !config.token_file.empty() || !config.username.empty() ||
                   !config.tls.certificate_pem.empty();
  if (has_other) return {};
  if (user.auth_provider) {
    return invalid_error("auth-provider of " + owner + ": unsupported auth provider " +
                         base::quote_go(*user.auth_provider) +
                         "; replace it with the provider's exec plugin (gke-gcloud-auth-plugin, kubelogin for oidc), "
                         "a token, a tokenFile or a client certificate");
  }
  if (!user.exec) return {};
  const auto& version = user.exec->api_version;
  if (version != "client.authentication.k8s.io/v1" && version != "client.authentication.k8s.io/v1beta1") {
    return invalid_error(
        "exec of " + owner + ": exec plugin: invalid apiVersion " + base::quote_go(version) +
        "; client.authentication.k8s.io/v1 and v1beta1 are supported: update the plugin and the kubeconfig");
  }
  config.exec = user.exec;
  config.exec->owner = "exec of " + owner;
  if (user.exec->provide_cluster_info) {
    config.exec->cluster_info = exec_cluster_info(config, cluster.proxy_url, cluster.exec_extension);
  }
  return {};
}

Result<void> set_credentials(const std::string& owner, const User& user, const Cluster& cluster,
                             const ReadFile& read_file, ConnectionConfig& config) {
  auto certificate = set_client_certificate(owner, user, read_file, config);
  if (!certificate) return certificate;
  auto token = set_token_or_password(owner, user, read_file, config);
  if (!token) return token;
  return set_plugin(owner, user, cluster, config);
}

bool has_credentials(const User& user) {
  return !user.token.empty() || !user.token_file.empty() || !user.username.empty() || user.exec || user.auth_provider ||
         !user.client_certificate.empty() || !user.client_certificate_data.empty();
}

bool are_header_values(const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(), net::is_header_value);
}

Result<void> set_impersonation(const std::string& owner, const User& user, ConnectionConfig& config) {
  config.impersonation = user.impersonation;
  const auto& as = user.impersonation;
  if (!net::is_header_value(as.user)) return unsendable("as of " + owner, "Impersonate-User");
  if (!net::is_header_value(as.uid)) return unsendable("as-uid of " + owner, "Impersonate-Uid");
  if (!are_header_values(as.groups)) return unsendable("as-groups of " + owner, "Impersonate-Group");
  for (const auto& [key, values] : as.extra) {
    if (!are_header_values(values)) return unsendable("as-user-extra of " + owner, "Impersonate-Extra");
  }
  return {};
}

}  // namespace

Result<ConnectionConfig> resolve_connection(const Kubeconfig& kubeconfig, const ReadFile& read_file) {
  if (auto problem = validate_current_context(kubeconfig, read_file)) return std::move(*problem);
  const auto context = entry_or_empty(kubeconfig.contexts, kubeconfig.current_context);
  const auto cluster = entry_or_empty(kubeconfig.clusters, context.cluster);
  const auto user = entry_or_empty(kubeconfig.users, context.user);

  ConnectionConfig config;
  config.ns = context.ns.empty() ? "default" : context.ns;
  config.source =
      "kubeconfig " + base::join(kubeconfig.files, ":") + ", context " + base::quote_go(kubeconfig.current_context);
  config.warnings = kubeconfig.warnings;
  const auto cluster_owner = "cluster " + base::quote_go(context.cluster) + " in " + config.source;
  const auto user_owner = "user " + base::quote_go(context.user) + " in " + config.source;
  auto server = set_server(cluster_owner, cluster, config);
  if (!server) return std::move(server).error();
  KEELSON_TRY(set_impersonation(user_owner, user, config));
  if (!config.url.origin.tls) {
    if (has_credentials(user)) {
      config.warnings.push_back("credentials of user " + base::quote_go(context.user) + " are not sent: the server " +
                                config.server + " does not use TLS");
    }
    return config;
  }
  KEELSON_TRY(set_server_identity(cluster_owner, cluster, read_file, config));
  KEELSON_TRY(set_credentials(user_owner, user, cluster, read_file, config));
  return config;
}

}  // namespace keelson::kube
