#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/go_text.hpp"
#include "src/kubeconfig/aggregated.hpp"
#include "src/kubeconfig/kubeconfig.hpp"
#include "src/kubeconfig/proxy_url.hpp"

namespace keelson::kube {

namespace {

using Messages = std::vector<std::string>;

constexpr const char* kEmptyCluster = "cluster has no server defined";

template <class Entry>
const Entry* find(const std::map<std::string, Entry>& entries, const std::string& name) {
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second;
}

void check_readable(const std::string& path, const char* what, const std::string& owner, const ReadFile& read_file,
                    Messages& messages) {
  if (path.empty()) return;
  auto content = read_file(path);
  if (content && *content) return;
  auto reason = content ? "open " + path + ": no such file or directory" : content.error().text;
  messages.push_back(std::string("unable to read ") + what + " " + path + " for " + owner + " due to " + reason);
}

void check_cluster(const std::string& name, const Kubeconfig::Cluster* cluster, const ReadFile& read_file,
                   Messages& messages) {
  if (cluster == nullptr) {
    messages.emplace_back(kEmptyCluster);
    return;
  }
  if (cluster->server.empty()) {
    messages.push_back(name.empty() ? "default cluster has no server defined"
                                    : "no server found for cluster " + base::quote_go(name));
  }
  if (auto problem = proxy_url_problem(cluster->proxy_url)) {
    messages.push_back("invalid 'proxy-url' " + base::quote_go(redacted_url(cluster->proxy_url)) + " for cluster " +
                       base::quote_go(name) + ": " + *problem);
  }
  if (!cluster->certificate_authority.empty() && !cluster->certificate_authority_data.empty()) {
    messages.push_back("certificate-authority-data and certificate-authority are both specified for " + name +
                       ". certificate-authority-data will override.");
  }
  check_readable(cluster->certificate_authority, "certificate-authority", name, read_file, messages);
}

void check_client_certificate(const std::string& name, const Kubeconfig::User& user, const ReadFile& read_file,
                              Messages& messages) {
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

void check_exec(const std::string& name, const Kubeconfig::User& user, Messages& messages) {
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

void check_user(const std::string& name, const Kubeconfig::User& user, const ReadFile& read_file, Messages& messages) {
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

}  // namespace

std::optional<Error> validate_current_context(const Kubeconfig& config, const ReadFile& read_file) {
  Messages messages;
  const auto* context = find(config.contexts, config.current_context);
  if (context == nullptr && !config.current_context.empty()) {
    messages.push_back("context was not found for specified context: " + config.current_context);
  }
  const Kubeconfig::Context nowhere;
  if (context == nullptr) context = &nowhere;
  if (const auto* user = find(config.users, context->user)) check_user(context->user, *user, read_file, messages);
  check_cluster(context->cluster, find(config.clusters, context->cluster), read_file, messages);

  if (messages.empty()) return std::nullopt;
  if (messages.size() == 1 && messages.front() == kEmptyCluster) return invalid_error(kNoConfiguration);
  return invalid_error("invalid configuration: " + aggregated(messages));
}

}  // namespace keelson::kube
