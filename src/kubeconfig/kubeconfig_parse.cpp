#include <string>
#include <string_view>

#include "keelson/base/base64.hpp"
#include "keelson/base/go_text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/yaml.hpp"
#include "src/kubeconfig/kubeconfig.hpp"

namespace keelson::kube {

namespace {

const char* type_of(json::View view) {
  if (view.is_object()) return "an object";
  if (view.is_array()) return "a list";
  if (view.is_string()) return "a string";
  if (view.is_bool()) return "a boolean";
  return view.is_number() ? "a number" : "null";
}

// Reads the members of an object by name. Absent members and null leave the zero value, as in Go. The first error is
// stored in `problem`, with its path and never with its value.
class MembersOf {
 public:
  MembersOf(json::View view, std::string path, std::optional<Error>& problem)
      : view_(view), path_(std::move(path)), problem_(problem) {
    if (view_.has_value() && !view_.is_object()) fail(path_, view_, "an object");
  }

  void read(const char* name, std::string& target) {
    auto member = view_.find(name);
    if (!member.has_value()) return;
    if (auto text = member.string()) {
      target = std::string(*text);
    } else {
      fail(path_of(name), member, "a string");
    }
  }

  void read(const char* name, bool& target) {
    auto member = view_.find(name);
    if (!member.has_value()) return;
    if (auto truth = member.boolean()) {
      target = *truth;
    } else {
      fail(path_of(name), member, "a boolean");
    }
  }

  void read_base64(const char* name, std::string& target) {
    std::string encoded;
    read(name, encoded);
    auto decoded = base::base64_decode(encoded);
    if (decoded) {
      target = std::move(*decoded);
    } else if (!problem_) {
      problem_ = std::move(decoded).error().with_context(path_of(name));
    }
  }

  void read(const char* name, std::vector<std::string>& target) {
    read_strings(view_.find(name), path_of(name), target);
  }

  void read(const char* name, std::map<std::string, std::vector<std::string>>& target) {
    auto member = view_.find(name);
    if (member.has_value() && !member.is_object()) return fail(path_of(name), member, "an object");
    for (const auto& [key, value] : member.members()) {
      read_strings(value, path_of(name) + "." + std::string(key), target[std::string(key)]);
    }
  }

  // Calls read_item(MembersOf) for every item of the list.
  template <class ReadItem>
  void each(const char* name, ReadItem read_item) {
    auto list = view_.find(name);
    if (list.has_value() && !list.is_array()) return fail(path_of(name), list, "a list");
    std::size_t index = 0;
    for (auto item : list.items()) {
      read_item(MembersOf(item, path_of(name) + "[" + std::to_string(index++) + "]", problem_));
    }
  }

  // The member as JSON; empty if it is absent.
  [[nodiscard]] std::string text_of(const char* name) const { return has(name) ? view_.find(name).text() : ""; }
  [[nodiscard]] bool has(const char* name) const { return view_.find(name).has_value(); }
  [[nodiscard]] MembersOf inside(const char* name) { return MembersOf(view_.find(name), path_of(name), problem_); }

  // Go also prints the list with its tokens and keys, which must not be logged.
  void fail_duplicate(const std::string& name, std::string_view type) {
    if (problem_) return;
    problem_ = invalid_error("error converting *[]Named" + std::string(type) + " into *map[string]*api." +
                             std::string(type) + ": duplicate name " + base::quote_go(name) + " in list");
  }

 private:
  [[nodiscard]] std::string path_of(const char* name) const { return path_.empty() ? name : path_ + "." + name; }

  void fail(const std::string& path, json::View found, const char* expected) {
    if (problem_) return;
    auto hint = found.is_number() && std::string_view(expected) == "a string" ? " (put it in quotes)" : "";
    problem_ = invalid_error(path + ": expected " + expected + ", found " + type_of(found) + hint);
  }

  void read_strings(json::View list, const std::string& path, std::vector<std::string>& target) {
    if (list.has_value() && !list.is_array()) return fail(path, list, "a list");
    for (auto item : list.items()) {
      auto text = item.string();
      if (!text && item.has_value()) return fail(path, item, "strings in the list");
      target.emplace_back(text.value_or(""));
    }
  }

  json::View view_;
  std::string path_;
  std::optional<Error>& problem_;
};

Kubeconfig::Cluster read_cluster(MembersOf fields) {
  Kubeconfig::Cluster cluster;
  fields.read("server", cluster.server);
  fields.read("tls-server-name", cluster.tls_server_name);
  fields.read("insecure-skip-tls-verify", cluster.insecure_skip_tls_verify);
  fields.read("certificate-authority", cluster.certificate_authority);
  fields.read_base64("certificate-authority-data", cluster.certificate_authority_data);
  fields.read("proxy-url", cluster.proxy_url);
  fields.read("disable-compression", cluster.disable_compression);
  fields.each("extensions", [&](MembersOf extension) {
    std::string name;
    extension.read("name", name);
    if (name == "client.authentication.k8s.io/exec") cluster.exec_extension = extension.text_of("extension");
  });
  return cluster;
}

ExecPlugin read_exec(MembersOf fields) {
  ExecPlugin exec;
  fields.read("command", exec.command);
  fields.read("args", exec.arguments);
  fields.read("provideClusterInfo", exec.provide_cluster_info);
  fields.read("apiVersion", exec.api_version);
  fields.read("interactiveMode", exec.interactive_mode);
  fields.read("installHint", exec.install_hint);
  fields.each("env", [&](MembersOf variable) {
    auto& [name, value] = exec.variables.emplace_back();
    variable.read("name", name);
    variable.read("value", value);
  });
  // client-go's default for the versions without this field.
  bool is_beta = exec.api_version == "client.authentication.k8s.io/v1beta1" ||
                 exec.api_version == "client.authentication.k8s.io/v1alpha1";
  if (exec.interactive_mode.empty() && is_beta) exec.interactive_mode = "IfAvailable";
  return exec;
}

Kubeconfig::User read_user(MembersOf fields) {
  Kubeconfig::User user;
  fields.read("client-certificate", user.client_certificate);
  fields.read_base64("client-certificate-data", user.client_certificate_data);
  fields.read("client-key", user.client_key);
  fields.read_base64("client-key-data", user.client_key_data);
  fields.read("token", user.token);
  fields.read("tokenFile", user.token_file);
  fields.read("username", user.username);
  fields.read("password", user.password);
  fields.read("as", user.impersonation.user);
  fields.read("as-uid", user.impersonation.uid);
  fields.read("as-groups", user.impersonation.groups);
  fields.read("as-user-extra", user.impersonation.extra);
  if (fields.has("auth-provider")) fields.inside("auth-provider").read("name", user.auth_provider.emplace());
  if (fields.has("exec")) user.exec = read_exec(fields.inside("exec"));
  return user;
}

Kubeconfig::Context read_context(MembersOf fields) {
  Kubeconfig::Context context;
  fields.read("cluster", context.cluster);
  fields.read("user", context.user);
  fields.read("namespace", context.ns);
  return context;
}

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

}  // namespace

Result<Kubeconfig> parse_kubeconfig(std::string_view text) {
  KEELSON_LET(auto json_text, json::yaml_to_json(text));
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

}  // namespace keelson::kube
