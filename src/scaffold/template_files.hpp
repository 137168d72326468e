// The templates and the kinds of Kubernetes that the build embeds (cmake/EmbedTemplates.cmake).
#pragma once

#include <span>
#include <string_view>

namespace keelson::scaffold {

struct TemplateFile {
  std::string_view path;  // "kind/types.hpp" of src/scaffold/templates, or "config/manager/manager.yaml"
  std::string_view text;
};

// A kind with a struct in include/keelson/api.
struct KubernetesKind {
  std::string_view group, version, kind;
  std::string_view header;  // "keelson/api/apps/v1/deployment.hpp"
  std::string_view type;    // "apps::v1::Deployment", in namespace keelson
  bool is_namespaced;
};

[[nodiscard]] std::span<const TemplateFile> template_files();
[[nodiscard]] std::span<const KubernetesKind> kubernetes_kinds();

// The text of a template, which must exist (asserted).
[[nodiscard]] std::string_view template_of(std::string_view path);
// The kind, or nullptr. The core group is empty.
[[nodiscard]] const KubernetesKind* find_kubernetes_kind(std::string_view group, std::string_view version,
                                                         std::string_view kind);

}  // namespace keelson::scaffold
