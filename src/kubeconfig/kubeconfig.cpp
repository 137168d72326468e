#include "src/kubeconfig/kubeconfig.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "src/kubeconfig/cluster_entry.hpp"
#include "src/kubeconfig/context_entry.hpp"
#include "src/kubeconfig/user_entry.hpp"

namespace keelson::kube {

namespace {

// An item of the lists of a file: {name: dev, cluster: {…}}.
template <class Entry>
struct NamedEntry {
  std::string name;
  Entry entry;
};

constexpr std::string_view member_of(const Kubeconfig::Cluster*) { return "cluster"; }
constexpr std::string_view member_of(const Kubeconfig::User*) { return "user"; }
constexpr std::string_view member_of(const Kubeconfig::Context*) { return "context"; }

template <class Entry>
void describe(Description& d, NamedEntry<Entry>& named) {
  d.field("name", named.name, "");
  d.field(member_of(static_cast<Entry*>(nullptr)), named.entry, "");
}

struct KubeconfigFile {
  std::string kind;
  std::string api_version;
  std::string current_context;
  std::vector<NamedEntry<Kubeconfig::Cluster>> clusters;
  std::vector<NamedEntry<Kubeconfig::User>> users;
  std::vector<NamedEntry<Kubeconfig::Context>> contexts;
};

void describe(Description& d, KubeconfigFile& file) {
  d.field("kind", file.kind, "");
  d.field("apiVersion", file.api_version, "");
  d.field("current-context", file.current_context, "");
  d.field("clusters", file.clusters, "");
  d.field("users", file.users, "");
  d.field("contexts", file.contexts, "");
}

// Replaces base64 by the bytes that it encodes; `path` is its place, for the error.
Result<void> decode_data(std::string& data, const std::string& path) {
  auto decoded = base::base64_decode(data);
  if (!decoded) return std::move(decoded).error().with_context(path);
  data = std::move(*decoded);
  return {};
}

Result<void> complete(Kubeconfig::Cluster& cluster, const std::string& path) {
  return decode_data(cluster.certificate_authority_data, path + "cluster.certificate-authority-data");
}

Result<void> complete(Kubeconfig::User& user, const std::string& path) {
  KEELSON_TRY(decode_data(user.client_certificate_data, path + "user.client-certificate-data"));
  KEELSON_TRY(decode_data(user.client_key_data, path + "user.client-key-data"));
  if (!user.exec || !user.exec->interactive_mode.empty()) return {};
  // client-go's default for the versions without this field.
  const auto& version = user.exec->api_version;
  const bool is_beta =
      version == "client.authentication.k8s.io/v1beta1" || version == "client.authentication.k8s.io/v1alpha1";
  if (is_beta) user.exec->interactive_mode = "IfAvailable";
  return {};
}

Result<void> complete(Kubeconfig::Context&, const std::string&) { return {}; }

// Moves the items of the list `name` into `entries`. Go's error for a duplicate also prints the list with its tokens
// and keys, which must not be logged.
template <class Entry>
Result<void> add_entries(std::vector<NamedEntry<Entry>>& items, const std::string& name, const std::string& type,
                         std::map<std::string, Entry>& entries) {
  for (auto& item : items) {
    KEELSON_TRY(complete(item.entry, name + "[" + std::to_string(&item - items.data()) + "]."));
    if (entries.emplace(item.name, std::move(item.entry)).second) continue;
    return invalid_error("error converting *[]Named" + type + " into *map[string]*api." + type + ": duplicate name " +
                         base::quote_go(item.name) + " in list");
  }
  return {};
}

template <class Entry>
const Entry* find(const std::map<std::string, Entry>& entries, const std::string& name) {
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second;
}

template <class Entry>
Entry entry_or_empty(const std::map<std::string, Entry>& entries, const std::string& name) {
  const auto* found = find(entries, name);
  return found == nullptr ? Entry() : *found;
}

}  // namespace

Result<Kubeconfig> parse_kubeconfig(std::string_view text) {
  KEELSON_LET(auto json_text, json::first_yaml_document_to_json(text));
  KubeconfigFile file;
  KEELSON_TRY(detail::decode_json(json_text, type_of<KubeconfigFile>(), &file, {}, NullItems::kZero));
  Kubeconfig config;
  config.current_context = std::move(file.current_context);
  KEELSON_TRY(add_entries(file.clusters, "clusters", "Cluster", config.clusters));
  KEELSON_TRY(add_entries(file.users, "users", "AuthInfo", config.users));
  KEELSON_TRY(add_entries(file.contexts, "contexts", "Context", config.contexts));
  const bool is_config =
      (file.kind.empty() || file.kind == "Config") && (file.api_version.empty() || file.api_version == "v1");
  if (!is_config) {
    return invalid_error("no kind " + base::quote_go(file.kind) + " is registered for version " +
                         base::quote_go(file.api_version));
  }
  return config;
}

std::string aggregated(const std::vector<std::string>& messages) {
  std::vector<std::string> distinct;
  for (const auto& message : messages) {
    if (std::ranges::find(distinct, message) == distinct.end()) distinct.push_back(message);
  }
  if (distinct.size() == 1) return distinct.front();
  return "[" + base::join(distinct, ", ") + "]";
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
  KEELSON_TRY(apply_server(cluster_owner, cluster, config));
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
