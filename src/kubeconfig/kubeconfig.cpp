#include "src/kubeconfig/kubeconfig.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "src/kubeconfig/aggregated.hpp"
#include "src/kubeconfig/cluster_entry.hpp"
#include "src/kubeconfig/context_entry.hpp"
#include "src/kubeconfig/user_entry.hpp"

namespace keelson::kube {

namespace {

// Reads [{name, <inner>: {…}}] into a map by name.
template <class Entry>
void read_named(MembersOf& root, const char* list, const char* inner, std::string_view type, Entry (*read)(MembersOf),
                std::map<std::string, Entry>& entries) {
  root.each(list, [&](MembersOf item) {
    std::string name;
    item.read("name", name);
    if (!entries.emplace(name, read(item.inside(inner))).second) item.fail_duplicate(name, type);
  });
}

template <class Entry>
const Entry* find(const std::map<std::string, Entry>& entries, const std::string& name) {
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second;
}

template <class Entry>
Entry entry_or_empty(const std::map<std::string, Entry>& entries, const std::string& name) {
  auto found = entries.find(name);
  return found == entries.end() ? Entry() : found->second;
}

}  // namespace

Result<Kubeconfig> parse_kubeconfig(std::string_view text) {
  KEELSON_LET(auto json_text, json::first_yaml_document_to_json(text));
  KEELSON_LET(auto document, json::Document::parse(json_text));

  std::optional<Error> problem;
  Kubeconfig config;
  std::string kind;
  std::string api_version;
  MembersOf root(document.root(), "", problem);
  root.read("kind", kind);
  root.read("apiVersion", api_version);
  root.read("current-context", config.current_context);
  read_named(root, "clusters", "cluster", "Cluster", read_cluster, config.clusters);
  read_named(root, "users", "user", "AuthInfo", read_user, config.users);
  read_named(root, "contexts", "context", "Context", read_context, config.contexts);
  if (problem) return std::move(*problem);
  bool is_config = (kind.empty() || kind == "Config") && (api_version.empty() || api_version == "v1");
  if (!is_config)
    return invalid_error("no kind " + base::quote_go(kind) + " is registered for version " +
                         base::quote_go(api_version));
  return config;
}

std::optional<Error> validate_current_context(const Kubeconfig& config, const ReadFile& read_file) {
  std::vector<std::string> messages;
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

Result<ConnectionConfig> resolve_connection(const Kubeconfig& kubeconfig, const ReadFile& read_file) {
  if (auto problem = validate_current_context(kubeconfig, read_file)) return std::move(*problem);
  const auto context = entry_or_empty(kubeconfig.contexts, kubeconfig.current_context);
  const auto cluster = entry_or_empty(kubeconfig.clusters, context.cluster);
  const auto user = entry_or_empty(kubeconfig.users, context.user);

  ConnectionConfig config;
  apply_context(context, config);
  config.source =
      "kubeconfig " + base::join(kubeconfig.files, ":") + ", context " + base::quote_go(kubeconfig.current_context);
  config.warnings = kubeconfig.warnings;
  const auto cluster_owner = "cluster " + base::quote_go(context.cluster) + " in " + config.source;
  const auto user_owner = "user " + base::quote_go(context.user) + " in " + config.source;
  auto server = apply_server(cluster_owner, cluster, config);
  if (!server) return std::move(server).error();
  KEELSON_TRY(apply_impersonation(user_owner, user, config));
  if (!config.url.origin.tls) {
    if (has_credentials(user)) {
      config.warnings.push_back("credentials of user " + base::quote_go(context.user) + " are not sent: the server " +
                                config.server + " does not use TLS");
    }
    return config;
  }
  KEELSON_TRY(apply_server_identity(cluster_owner, cluster, read_file, config));
  KEELSON_TRY(apply_credentials(user_owner, user, cluster, read_file, config));
  return config;
}

}  // namespace keelson::kube
