// The command `edit`: features of the whole project.
#include <algorithm>

#include "keelson/base/try.hpp"
#include "src/scaffold/commands.hpp"
#include "src/scaffold/default_kustomization.hpp"
#include "src/scaffold/open_project.hpp"

namespace keelson::scaffold {

namespace {

bool has_webhooks(const Project& project) {
  return std::any_of(project.kinds.begin(), project.kinds.end(),
                     [](const auto& kind) { return kind.has_defaulter || kind.has_validator; });
}

}  // namespace

Result<TreeChange> edit(const std::filesystem::path& root, const EditOptions& options) {
  KEELSON_LET(const auto project, open_project(root));
  if (!options.is_namespaced)
    return invalid_error("there is nothing to change: use --namespaced or --namespaced=false");
  TreeChange change(root);
  KEELSON_LET(const auto before, change.content(kDefaultKustomization));
  auto after = *options.is_namespaced ? namespaced(before) : disable_blocks(before, "NAMESPACED");
  if (!*options.is_namespaced && has_webhooks(project)) after = with_webhooks(after);
  if (*options.is_namespaced && !is_namespaced(after)) {
    return invalid_error(std::string(kDefaultKustomization) +
                         " has no block [NAMESPACED]: add ../namespaced to its components");
  }
  if (after != before) change.write(kDefaultKustomization, after);
  return change;
}

}  // namespace keelson::scaffold
