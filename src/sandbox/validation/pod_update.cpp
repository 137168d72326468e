#include "src/sandbox/validation/pod_update.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/validation/internal_values.hpp"

namespace keelson::sandbox {

namespace {

// Ephemeral containers can only be added.
void check_ephemeral_containers(const Tree& before, const Tree& after, FieldErrors& errors) {
  const auto& containers = after.items_at({"spec", "ephemeralContainers"});
  for (const auto& had : before.items_at({"spec", "ephemeralContainers"})) {
    const auto name = had.text_at({"name"});
    auto has = std::ranges::find_if(containers,
                                    [&name](const Tree& container) { return container.text_at({"name"}) == name; });
    if (has != containers.end() && *has == had) continue;
    const bool is_removed = has == containers.end();
    const auto difference = is_removed ? "" : internal_difference(had, *has, "core.EphemeralContainer");
    errors.forbidden("spec.ephemeralContainers", "existing ephemeral containers " + base::quote_go(name) +
                                                     " may not be " + (is_removed ? "removed" : "changed") + "\n" +
                                                     difference);
  }
}

void check_resize(const Tree& before, const Tree& after, FieldErrors& errors) {
  for (const char* list : {"containers", "initContainers"}) {
    const auto& had = before.items_at({"spec", list});
    const auto& has = after.items_at({"spec", list});
    const auto field = std::string("spec.") + list;
    if (had.size() != has.size()) {
      errors.forbidden(field, std::string(list) + " may not be added or removed on resize");
      continue;
    }
    for (std::size_t i = 0; i < had.size(); ++i) {
      if (had[i].text_at({"name"}) == has[i].text_at({"name"})) continue;
      errors.forbidden(index_path(field, i) + ".name",
                       std::string(list) + " may not be renamed or reordered on resize");
    }
  }
}

}  // namespace

void check_pod_update(const Tree& before, const Tree& after, Subresource subresource, FieldErrors& errors) {
  if (subresource == Subresource::kEphemeralContainers) check_ephemeral_containers(before, after, errors);
  if (subresource == Subresource::kResize) check_resize(before, after, errors);
}

}  // namespace keelson::sandbox
