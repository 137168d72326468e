// The command `edit`: features of the whole project.
#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/scaffold/commands.hpp"
#include "src/scaffold/default_kustomization.hpp"
#include "src/scaffold/open_project.hpp"

namespace keelson::scaffold {

namespace {

std::string cluster_scoped_kinds(const Project& project) {
  std::vector<std::string> names;
  for (const auto& kind : project.kinds) {
    if (!kind.is_namespaced) names.push_back(kind.kind);
  }
  return base::join(names, ", ");
}

Result<std::string> limited_to_namespace(const Project& project, const std::string& text) {
  if (const auto kinds = cluster_scoped_kinds(project); !kinds.empty()) {
    return invalid_error("the operator cannot work in a single namespace, because these kinds are cluster-scoped: " +
                         kinds);
  }
  if (has_cert_manager(text)) {
    return invalid_error(
        std::string(kDefaultKustomization) +
        " has [CERTMANAGER] enabled, for webhooks, which apply to the whole cluster: disable it and its "
        "other tags first");
  }
  auto out = with_feature(without_feature(text, Feature::kWebhooks), Feature::kNamespaced);
  if (has_feature(out, Feature::kNamespaced)) return out;
  return invalid_error(std::string(kDefaultKustomization) +
                       " has no block [NAMESPACED]: add ../namespaced to its components");
}

}  // namespace

Result<TreeChange> edit(const std::filesystem::path& root, const EditOptions& options) {
  KEELSON_LET(const auto project, open_project(root));
  TreeChange change(root);
  if (!options.is_namespaced) return change;
  KEELSON_LET(const auto before, change.content(kDefaultKustomization));
  auto after = before;
  if (*options.is_namespaced) {
    KEELSON_LET(after, limited_to_namespace(project, before));
  } else if (has_feature(before, Feature::kNamespaced)) {
    after = without_feature(before, Feature::kNamespaced);
    if (has_webhooks(project)) after = with_feature(after, Feature::kWebhooks);
  }
  if (after != before) change.write(kDefaultKustomization, after);
  return change;
}

}  // namespace keelson::scaffold
