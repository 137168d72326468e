#include "keelson/detail/kube/object_changes.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/fnv.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/kube/field_path.hpp"

namespace keelson::kube {

namespace {

constexpr std::array<std::string_view, 2> kTypeMembers = {"apiVersion", "kind"};
constexpr std::array<std::string_view, 2> kSecretMembers = {"data", "stringData"};

bool is_among(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

bool is_secret(const Resource& resource) { return resource.qualified_plural() == secrets().qualified_plural(); }

void write_masked(json::Writer& writer, json::View data) {
  writer.begin_object();
  for (const auto& member : data.members()) writer.field(member.name, "***");
  writer.end_object();
}

// `kubectl apply` stores a copy of the whole Secret in this annotation.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

void write_annotations(json::Writer& writer, json::View annotations, bool of_secret) {
  writer.begin_object();
  for (const auto& [name, value] : annotations.members()) {
    if (!of_secret || name != kLastApplied) writer.field(name, value);
  }
  writer.end_object();
}

void write_metadata(json::Writer& writer, json::View metadata, bool of_secret) {
  writer.begin_object();
  for (const auto& [name, value] : metadata.members()) {
    if (is_set_by_server(name)) continue;
    writer.key(name);
    if (name == "annotations") {
      write_annotations(writer, value, of_secret);
    } else {
      value.write(writer);
    }
  }
  writer.end_object();
}

// Removes the metadata that the API server sets. The values of a Secret are masked if the object is shown; a comparison
// needs them. Objects of lists lack apiVersion and kind, which a comparison must not report.
enum class Use { kShown, kCompared };
std::string cleaned(std::string_view object, bool of_secret, Use use) {
  const auto document = json::Document::parse(object);
  KEELSON_ASSERT(document.has_value());
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : document->root().members()) {
    if (use == Use::kCompared && is_among(kTypeMembers, name)) continue;
    writer.key(name);
    if (name == "metadata") {
      write_metadata(writer, value, of_secret);
    } else if (of_secret && use == Use::kShown && is_among(kSecretMembers, name)) {
      write_masked(writer, value);
    } else {
      value.write(writer);
    }
  }
  writer.end_object();
  return std::move(writer).take();
}

void mask(FieldChange& change) {
  const auto member = std::string_view(change.path).substr(1, change.path.find('/', 1) - 1);
  if (!is_among(kSecretMembers, member)) return;
  change.masked_hash = base::fnv1a_64(change.before.value_or("") + "\n" + change.after.value_or(""));
  if (change.before) change.before = "\"*** (before)\"";
  if (change.after) change.after = "\"*** (after)\"";
}

std::vector<FieldChange> changes_between(const std::string& before, const std::string& after) {
  const auto old = json::Document::parse(before);
  const auto next = json::Document::parse(after);
  KEELSON_ASSERT(old.has_value() && next.has_value());
  const auto operations = json::Document::parse(json::diff(old->root(), next->root()));
  KEELSON_ASSERT(operations.has_value());
  std::vector<FieldChange> changes;
  for (const auto operation : operations->root().items()) {
    FieldChange change;
    change.path = std::string(operation.find("path").string().value_or(""));
    const auto what = operation.find("op").string().value_or("");
    const auto pointer = json::parse_pointer(change.path);
    KEELSON_ASSERT(pointer.has_value());
    change.place = field_path(old->root(), next->root(), *pointer);
    if (what != "add") change.before = at_pointer(old->root(), *pointer).text();
    if (what != "remove") change.after = operation.find("value").text();
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace

std::string FieldChange::text() const {
  const char* mark = !before ? "+" : !after ? "-" : "~";
  std::string text = std::string(mark) + " " + place + ": ";
  if (before) text += *before;
  if (before && after) text += " -> ";
  if (after) text += *after;
  return text;
}

std::vector<FieldChange> object_changes(const Resource& resource, const Object& before, const Object& after) {
  const bool of_secret = is_secret(resource);
  auto changes = changes_between(cleaned(before.json(), of_secret, Use::kCompared),
                                 cleaned(after.json(), of_secret, Use::kCompared));
  if (of_secret) std::ranges::for_each(changes, mask);
  return changes;
}

std::string shown_object(const Resource& resource, const Object& object) {
  return cleaned(object.json(), is_secret(resource), Use::kShown);
}

}  // namespace keelson::kube
