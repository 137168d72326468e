#include "src/webhook/overlay.hpp"

#include "keelson/base/assert.hpp"
#include "keelson/webhook/kind_webhooks.hpp"

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
    // The description writes numbers and bools that nobody set: those are no change.
    if (json::equal(before.find(name), value)) continue;
    writer.key(name);
    value.write(writer);
  }
  writer.end_object();
}

// Where an item stood before: at its own place, else at the first that looks like it; nothing: it is new.
std::optional<std::size_t> place_of(json::View item, std::size_t place, json::View before) {
  if (json::equal(before.item(place), item)) return place;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (json::equal(before.item(i), item)) return i;
  }
  return std::nullopt;
}

// Items that only moved keep all they came with, and so does one that was changed where it stood.
void write_array(json::Writer& writer, json::View came, json::View before, json::View after) {
  writer.begin_array();
  std::size_t place = 0;
  const bool none_left = after.size() >= before.size();
  for (const auto item : after.items()) {
    const auto old_place = place_of(item, place, before);
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

json::Document parsed(const std::string& text) {
  auto document = json::Document::parse(text);
  KEELSON_ASSERT(document.has_value());
  return std::move(*document);
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

namespace detail {

Defaulted overlay(json::View came, const std::string& before, const std::string& after) {
  Defaulted result;
  if (before == after) return result;
  const auto was = parsed(before);
  const auto is = parsed(after);
  json::Writer writer;
  // An object without a spec has an empty one: only what the defaulter set is added.
  const auto nothing = parsed("{}");
  write_overlay(writer, came.has_value() ? came : nothing.root(), was.root(), is.root());
  result.spec = std::move(writer).take();
  return result;
}

}  // namespace detail

}  // namespace keelson::webhook
