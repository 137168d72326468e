#include "src/sandbox/reads.hpp"

#include <algorithm>

#include "keelson/base/assert.hpp"
#include "keelson/base/limits.hpp"
#include "keelson/json/writer.hpp"
#include "src/sandbox/admission/session.hpp"

namespace keelson::sandbox {

namespace {

// Items of the built-in kinds come without kind and apiVersion, as the real server sends them; custom ones with.
std::string item_text(const ServedKind& kind, const kube::Object& object) {
  const auto json = object.json();
  if (kind.is_custom) return relabeled(kind, json);
  const auto front = R"({"kind":")" + kind.resource.kind + R"(","apiVersion":")" + kind.resource.api_version() + "\",";
  KEELSON_ASSERT(json.starts_with(front));
  return "{" + std::string(json.substr(front.size()));
}

std::string scale_selector(const Tree* selector) {
  if (selector == nullptr) return {};
  if (selector->is_string()) return selector->scalar();
  const Tree* labels = selector->find("matchLabels");
  std::string text;
  for (const auto& [name, value] : (labels != nullptr ? *labels : *selector).members()) {
    if (!text.empty()) text += ",";
    text += name + "=" + value.scalar();
  }
  return text;
}

const Tree* at_json_path(const Tree& object, const std::string& json_path) {
  const Tree* at = &object;
  for (const auto& name : path_of(json_path)) {
    at = at->find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace

std::vector<std::string> path_of(const std::string& json_path) {
  std::vector<std::string> names;
  std::size_t begin = json_path.empty() || json_path[0] != '.' ? 0 : 1;
  while (begin < json_path.size()) {
    auto end = std::min(json_path.find('.', begin), json_path.size());
    names.push_back(json_path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

void put_at(Tree& object, const std::string& json_path, const Tree& value) {
  Tree* at = &object;
  for (const auto& name : path_of(json_path)) at = &(*at)[name];
  *at = value;
}

Tree scale_of(const ServedKind& kind, const Tree& object) {
  auto metadata = Tree::object();
  for (const char* name : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const Tree* value = object.at({"metadata", name})) metadata[name] = *value;
  }
  auto scale = Tree::object({{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}, {"metadata", metadata}});
  const Tree* wanted = at_json_path(object, kind.scale.spec_replicas);
  const Tree* there = at_json_path(object, kind.scale.status_replicas);
  scale["spec"] = Tree::object();
  if (wanted != nullptr) scale["spec"]["replicas"] = *wanted;
  scale["status"] = Tree::object({{"replicas", there != nullptr ? *there : Tree(0)}});
  bool has_selector = !kind.scale.selector.empty();
  auto selector = has_selector ? scale_selector(at_json_path(object, kind.scale.selector)) : std::string();
  if (!selector.empty()) scale["status"]["selector"] = selector;
  return scale;
}

Outcome Reads::get(const Call& call) const {
  const auto* entry = world_.store.find(*call.kind, call.key);
  if (entry == nullptr) return not_found(call.resource(), call.key.name);
  if (call.subresource == "scale") return Answer{200, scale_of(*call.kind, entry->stored().tree).text()};
  return Answer{200, std::string(entry->object.json())};
}

Outcome Reads::list(const Call& call) {
  auto token = call.parameter("continue");
  if (!token.empty()) {
    auto page = std::find_if(pages_.begin(), pages_.end(), [&token](const Page& p) { return p.token == token; });
    if (page == pages_.end()) {
      return expired(
          "The provided continue parameter is too old to display a consistent list result. You can start a new list "
          "without the continue parameter.");
    }
    if (page->kind != call.kind || page->ns != call.key.ns) {
      return bad_request("continue key is not valid: it is of another list");
    }
    return this->page(call, *page);
  }
  auto selection = Selection::of(call);
  if (auto* refused = std::get_if<Refusal>(&selection)) return std::move(*refused);
  auto asked = version_number(call.parameter("resourceVersion"));
  if (asked > world_.store.version()) return too_large_version(asked, world_.store.version());
  Page all;
  all.version = world_.store.version();
  for (const auto& [key, entry] : world_.store.all(*call.kind)) {
    if (std::get<Selection>(selection).matches(entry.object)) all.rest.push_back(entry.object);
  }
  if (!convert(call, all.rest)) return AdmissionSession::waiting();
  return page(call, std::move(all));
}

bool Reads::convert(const Call& call, std::vector<kube::Object>& objects) const {
  const auto& kind = *call.kind;
  if (call.admission == nullptr || !kind.conversion || !kind.conversion->has_webhook) return true;
  for (auto& object : objects) {
    if (!is_of_other_version(kind, object.json())) continue;
    auto key = std::string(object.uid()) + "@" + std::to_string(object.resource_version());
    auto converted = call.admission->converted(kind, key, kind.resource.api_version(), [&object] {
      auto tree = Tree::parse(object.json());
      return tree ? *tree : Tree();
    });
    auto read = converted ? kube::Object::from_json(converted->text()) : Result<kube::Object>(object);
    if (read) object = std::move(*read);
  }
  return !call.admission->to_convert;
}

Outcome Reads::page(const Call& call, Page all) {
  auto limit = version_number(call.parameter("limit"));
  auto count = limit == 0 ? all.rest.size() : std::min<std::size_t>(limit, all.rest.size());
  json::Writer writer;
  writer.begin_object().field("kind", call.kind->list_kind()).field("apiVersion", call.resource().api_version());
  writer.key("metadata").begin_object().field("resourceVersion", std::to_string(all.version));
  if (count < all.rest.size()) {
    Page next{world_.random.uuid(), call.kind, call.key.ns, all.version, {}};
    next.rest.assign(all.rest.begin() + static_cast<std::ptrdiff_t>(count), all.rest.end());
    writer.field("continue", next.token);
    // Of a selection the real server does not know how many there are.
    bool is_selection = !call.parameter("labelSelector").empty() || !call.parameter("fieldSelector").empty();
    if (!is_selection) writer.field("remainingItemCount", static_cast<std::int64_t>(next.rest.size()));
    pages_.push_back(std::move(next));
    if (pages_.size() > limits::kSandboxPages) pages_.pop_front();
  }
  writer.end_object().key("items").begin_array();
  for (std::size_t i = 0; i < count; ++i) writer.raw(item_text(*call.kind, all.rest[i]));
  writer.end_array().end_object();
  return Answer{200, std::move(writer).take()};
}

}  // namespace keelson::sandbox
