#include "src/kubeconfig/user_entry.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/kubeconfig/cluster_entry.hpp"
#include "src/kubeconfig/entry_files.hpp"

namespace keelson::kube {

using User = Kubeconfig::User;

namespace {

void check_client_certificate(const std::string& name, const User& user, const ReadFile& read_file,
                              std::vector<std::string>& messages) {
  if (user.client_certificate.empty() && user.client_certificate_data.empty()) return;
  if (!user.client_certificate.empty() && !user.client_certificate_data.empty()) {
    messages.push_back("client-cert-data and client-cert are both specified for " + name +
                       ". client-cert-data will override.");
  }
  if (!user.client_key.empty() && !user.client_key_data.empty()) {
    messages.push_back("client-key-data and client-key are both specified for " + name +
                       "; client-key-data will override");
  }
  if (user.client_key.empty() && user.client_key_data.empty()) {
    messages.push_back("client-key-data or client-key must be specified for " + name +
                       " to use the clientCert authentication method.");
  }
  check_readable(user.client_certificate, "client-cert", name, read_file, messages);
  check_readable(user.client_key, "client-key", name, read_file, messages);
}

void check_exec(const std::string& name, const User& user, std::vector<std::string>& messages) {
  if (!user.exec) return;
  auto missing = [&](const char* what) {
    messages.push_back(std::string(what) + " must be specified for " + name + " to use exec authentication plugin");
  };
  if (user.auth_provider) {
    messages.push_back("authProvider cannot be provided in combination with an exec plugin for " + name);
  }
  if (user.exec->command.empty()) missing("command");
  if (user.exec->api_version.empty()) missing("apiVersion");
  for (const auto& [variable, value] : user.exec->variables) {
    if (variable.empty()) missing("env variable name");
  }
  const auto& mode = user.exec->interactive_mode;
  if (mode.empty()) {
    missing("interactiveMode");
  } else if (mode != "Never" && mode != "IfAvailable" && mode != "Always") {
    messages.push_back("invalid interactiveMode for " + name + ": " + base::quote_go(mode));
  }
}

Error unsendable(const std::string& field, const char* header) {
  return invalid_error(field + ": invalid header field value for " + base::quote_go(header));
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
Result<void> set_plugin(const std::string& owner, const User& user, const Kubeconfig::Cluster& cluster,
                        ConnectionConfig& config) {
  bool has_other = !config.token.empty() || !config.token_file.empty() || !config.username.empty() ||
                   !config.tls.certificate_pem.empty();
  if (has_other) return {};
  if (user.auth_provider) {
    return invalid_error("auth-provider of " + owner + ": unsupported auth provider " +
                         base::quote_go(user.auth_provider->name) +
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
    config.exec->cluster_info = exec_cluster_info(cluster, config);
  }
  return {};
}

bool are_header_values(const std::vector<std::string>& values) {
  return std::ranges::all_of(values, net::is_header_value);
}

}  // namespace

void describe(Description& d, std::pair<std::string, std::string>& variable) {
  d.field("name", variable.first, "");
  d.field("value", variable.second, "");
}

void describe(Description& d, ExecPlugin& exec) {
  d.field("command", exec.command, "");
  d.field("args", exec.arguments, "");
  d.field("env", exec.variables, "");
  d.field("provideClusterInfo", exec.provide_cluster_info, "");
  d.field("apiVersion", exec.api_version, "");
  d.field("interactiveMode", exec.interactive_mode, "");
  d.field("installHint", exec.install_hint, "");
}

void describe(Description& d, Kubeconfig::AuthProvider& provider) { d.field("name", provider.name, ""); }

void describe(Description& d, User& user) {
  d.field("client-certificate", user.client_certificate, "");
  d.field("client-certificate-data", user.client_certificate_data, "");
  d.field("client-key", user.client_key, "");
  d.field("client-key-data", user.client_key_data, "");
  d.field("token", user.token, "");
  d.field("tokenFile", user.token_file, "");
  d.field("username", user.username, "");
  d.field("password", user.password, "");
  d.field("as", user.impersonation.user, "");
  d.field("as-uid", user.impersonation.uid, "");
  d.field("as-groups", user.impersonation.groups, "");
  d.field("as-user-extra", user.impersonation.extra, "");
  d.field("auth-provider", user.auth_provider, "");
  d.field("exec", user.exec, "");
}

void resolve_user_paths(User& user, const std::string& directory) {
  resolve_path(user.client_certificate, directory);
  resolve_path(user.client_key, directory);
  resolve_path(user.token_file, directory);
  // A bare name is looked up in PATH.
  if (user.exec && user.exec->command.find('/') != std::string::npos) resolve_path(user.exec->command, directory);
}

void check_user(const std::string& name, const User& user, const ReadFile& read_file,
                std::vector<std::string>& messages) {
  check_client_certificate(name, user, read_file, messages);
  check_exec(name, user, messages);
  bool has_basic_auth = !user.username.empty() || !user.password.empty();
  if (!user.token.empty() && has_basic_auth) {
    messages.push_back("more than one authentication method found for " + name +
                       "; found [token basicAuth], only one is allowed");
  }
  const auto& as = user.impersonation;
  if (as.user.empty() && (!as.uid.empty() || !as.groups.empty() || !as.extra.empty())) {
    messages.push_back("requesting uid, groups or user-extra for " + name + " without impersonating a user");
  }
}

Result<void> apply_impersonation(const std::string& owner, const User& user, ConnectionConfig& config) {
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

Result<void> apply_credentials(const std::string& owner, const User& user, const Kubeconfig::Cluster& cluster,
                               const ReadFile& read_file, ConnectionConfig& config) {
  KEELSON_TRY(set_client_certificate(owner, user, read_file, config));
  KEELSON_TRY(set_token_or_password(owner, user, read_file, config));
  return set_plugin(owner, user, cluster, config);
}

bool has_credentials(const User& user) {
  return !user.token.empty() || !user.token_file.empty() || !user.username.empty() || user.exec || user.auth_provider ||
         !user.client_certificate.empty() || !user.client_certificate_data.empty();
}

}  // namespace keelson::kube
