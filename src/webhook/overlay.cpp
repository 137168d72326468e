#include "src/webhook/overlay.hpp"

#include <optional>
#include <string>

#include "keelson/detail/base/text_hash.hpp"

namespace keelson::webhook {

namespace {

void write_object(json::Writer& writer, json::View came, json::View before, json::View after) {
  writer.begin_object();
  for (const auto& [name, value] : came.members()) {
    const auto was = before.find(name);
    const auto is = after.find(name);
    const bool is_removed = is.is_absent() && !was.is_absent();
    if (is_removed) continue;
    writer.key(name);
    if (is.is_absent()) {
      value.write(writer);
    } else {
      write_overlay(writer, value, was, is);
    }
  }
  for (const auto& [name, value] : after.members()) {
    if (!came.find(name).is_absent()) continue;
    // The description writes numbers and bools that were not set: these are not changes.
    if (json::equal(before.find(name), value)) continue;
    writer.key(name);
    value.write(writer);
  }
  writer.end_object();
}

// The positions of items before the change. Both lists come from the same encoder, so equal items have equal texts. The
// index by text is needed because comparing all pairs takes minutes for a list of megabytes.
class Places {
 public:
  explicit Places(json::View before) : before_(before) {
    std::size_t place = 0;
    for (const auto item : before.items()) first_.try_emplace(item.text(), place++);
  }

  // The same position if the item is equal there, or else that of the first equal item; empty: it is new.
  [[nodiscard]] std::optional<std::size_t> of(json::View item, std::size_t place) const {
    if (json::equal(before_.item(place), item)) return place;
    const auto found = first_.find(item.text());
    return found == first_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  json::View before_;
  base::TextMap<std::string, std::size_t> first_;
};

// Items that only moved, and items that were changed in their position, retain their unknown members.
void write_array(json::Writer& writer, json::View came, json::View before, json::View after) {
  writer.begin_array();
  const Places places(before);
  std::size_t place = 0;
  const bool none_left = after.size() >= before.size();
  for (const auto item : after.items()) {
    const auto old_place = places.of(item, place);
    if (old_place) {
      came.item(*old_place).write(writer);
    } else if (none_left && place < before.size()) {
      write_overlay(writer, came.item(place), before.item(place), item);
    } else {
      item.write(writer);
    }
    ++place;
  }
  writer.end_array();
}

}  // namespace

void write_overlay(json::Writer& writer, json::View came, json::View before, json::View after) {
  if (json::equal(before, after)) {
    came.write(writer);
  } else if (came.is_object() && before.is_object() && after.is_object()) {
    write_object(writer, came, before, after);
  } else if (came.is_array() && before.is_array() && after.is_array() && came.size() == before.size()) {
    write_array(writer, came, before, after);
  } else {
    after.write(writer);
  }
}

}  // namespace keelson::webhook
