#include "src/sandbox/storage/stored_defaults.hpp"

#include "src/sandbox/custom/custom_defaults.hpp"

namespace keelson::sandbox {

namespace {

// Null if no version is served.
const ServedKind* stored_kind(const World& world, const Tree& definition) {
  for (const auto& version : definition.items_at({"spec", "versions"})) {
    const kube::Resource any(definition.text_at({"spec", "group"}), version.text_at({"name"}), "",
                             definition.text_at({"spec", "names", "plural"}), true);
    if (const auto* kind = world.kinds.find(any)) return &kind->home();
  }
  return nullptr;
}

}  // namespace

void add_defaults_to_stored(World& world, const Tree& definition) {
  const auto* kind = stored_kind(world, definition);
  if (kind == nullptr || kind->values == nullptr || !kind->values->has_defaults) return;
  for (const auto& [key, entry] : world.store.all(*kind)) {
    auto stored = Store::Entry(entry).stored();  // a copy's tree does not remain in memory
    const auto before = stored.tree;
    const bool fits = apply_custom_defaults(stored.tree, *kind->values, Nulls::kKept);
    if (fits && stored.tree != before) world.store.rewrite(*kind, key, std::move(stored));
  }
}

}  // namespace keelson::sandbox
