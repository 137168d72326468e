#include <filesystem>
#include <utility>

#include "keelson/base/try.hpp"
#include "src/kubeconfig/cluster_entry.hpp"
#include "src/kubeconfig/entry_files.hpp"
#include "src/kubeconfig/kubeconfig.hpp"
#include "src/kubeconfig/user_entry.hpp"

namespace keelson::kube {

namespace {

std::string directory_of(const std::string& path, const Environment& environment) {
  return joined(environment.working_directory, std::filesystem::path(path).parent_path().string());
}

Result<Kubeconfig> load_text(const std::string& path, std::string_view text, const Environment& environment) {
  KEELSON_LET(auto config, parse_kubeconfig(text));
  resolve_paths(config, directory_of(path, environment));
  config.files.push_back(path);
  return config;
}

Error loading_error(const std::string& path, const Error& error) {
  return invalid_error("error loading config file \"" + path + "\": " + error.text);
}

}  // namespace

void resolve_paths(Kubeconfig& config, const std::string& directory) {
  for (auto& [name, cluster] : config.clusters) resolve_cluster_paths(cluster, directory);
  for (auto& [name, user] : config.users) resolve_user_paths(user, directory);
}

void merge_under(Kubeconfig& config, Kubeconfig&& later) {
  config.clusters.merge(later.clusters);  // existing entries win
  config.users.merge(later.users);
  config.contexts.merge(later.contexts);
  if (config.current_context.empty()) config.current_context = std::move(later.current_context);
  config.files.insert(config.files.end(), later.files.begin(), later.files.end());
}

Result<Kubeconfig> load_kubeconfig_file(const std::string& path, const Environment& environment) {
  auto text = environment.read_file(path);
  if (!text) return loading_error(path, text.error());
  if (!*text) return invalid_error("stat " + path + ": no such file or directory");
  auto config = load_text(path, **text, environment);
  if (!config) return loading_error(path, config.error());
  return config;
}

Result<Kubeconfig> load_kubeconfig_list(const std::vector<std::string>& paths, const Environment& environment) {
  Kubeconfig merged;
  std::vector<std::string> problems;
  std::string missing;
  for (const auto& path : paths) {
    auto text = environment.read_file(path);
    if (text && !*text) {
      missing += (missing.empty() ? "" : ", ") + path;
      continue;
    }
    auto config = text ? load_text(path, **text, environment) : Result<Kubeconfig>(text.error());
    if (config) {
      merge_under(merged, std::move(*config));
    } else {
      problems.push_back(loading_error(path, config.error()).text);
    }
  }
  if (!problems.empty()) return invalid_error(aggregated(problems));
  if (merged.files.empty() && !missing.empty()) merged.warnings.push_back("Config not found: " + missing);
  return merged;
}

}  // namespace keelson::kube
