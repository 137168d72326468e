#include "src/scaffold/template_files.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"

namespace keelson::scaffold {

std::string_view template_of(std::string_view path) {
  const auto files = template_files();
  const auto found = std::ranges::find_if(files, [&](const auto& file) { return file.path == path; });
  KEELSON_ASSERT(found != files.end());
  return found->text;
}

const KubernetesKind* find_kubernetes_kind(std::string_view group, std::string_view version, std::string_view kind) {
  const auto kinds = kubernetes_kinds();
  const auto found = std::ranges::find_if(
      kinds, [&](const auto& other) { return other.group == group && other.version == version && other.kind == kind; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace keelson::scaffold
