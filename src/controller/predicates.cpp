// Predicates. All of them let additions and deletions pass and filter updates only.
#include <algorithm>
#include <map>
#include <utility>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/json/metadata.hpp"

namespace keelson::controller {

namespace {

using TextsByName = std::map<std::string, std::string, std::less<>>;

// True except for an update for which `same` returns true.
template <class Same>
Predicate unless_update(Same same) {
  return
      [same](const cache::Event& event) { return !event.before || !event.after || !same(*event.before, *event.after); };
}

TextsByName labels_of(const kube::Object& object) {
  TextsByName labels;
  object.for_each_label([&](std::string_view name, std::string_view value) { labels.emplace(name, value); });
  return labels;
}

TextsByName annotations_of(const kube::Object& object) {
  TextsByName annotations;
  auto metadata = json::scan_metadata(object.json());
  if (!metadata || metadata->annotations.empty()) return annotations;
  auto add = [&](std::string_view name, std::string_view value) {
    annotations.insert_or_assign(std::string(name), value);
  };
  auto read = json::for_each_string(metadata->annotations, add);
  if (!read) annotations.clear();
  return annotations;
}

}  // namespace

Predicate generation_changed() {
  return unless_update(
      [](const kube::Object& before, const kube::Object& after) { return before.generation() == after.generation(); });
}

Predicate resource_version_changed() {
  return unless_update([](const kube::Object& before, const kube::Object& after) {
    return before.resource_version() == after.resource_version();
  });
}

Predicate labels_changed() {
  return unless_update([](const kube::Object& before, const kube::Object& after) {
    return before.same_block(after) || labels_of(before) == labels_of(after);
  });
}

Predicate annotations_changed() {
  return unless_update([](const kube::Object& before, const kube::Object& after) {
    return before.same_block(after) || annotations_of(before) == annotations_of(after);
  });
}

Predicate any_of(std::vector<Predicate> predicates) {
  return [predicates = std::move(predicates)](const cache::Event& event) {
    return std::ranges::any_of(predicates, [&](const Predicate& says) { return says(event); });
  };
}

}  // namespace keelson::controller
