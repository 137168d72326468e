#include "src/sandbox/http/rendering.hpp"

#include <algorithm>

#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "src/sandbox/tables/table.hpp"

namespace keelson::sandbox {

namespace {
using Form = Representation::Form;

std::string as_yaml(const std::string& body) {
  auto document = json::Document::parse(body);
  return document ? json::to_yaml(document->root()) : body;
}

}  // namespace

Rendering::Rendering(Representation representation, const ServedKind& kind, std::string include_object)
    : representation_(representation), kind_(&kind), include_object_(std::move(include_object)) {
  if (include_object_.empty()) include_object_ = "Metadata";
  if (representation_.form == Form::kTable) columns_ = columns_of(kind);
}

std::string Rendering::answer(std::string body, WallTime now) const {
  if (representation_.form != Form::kObject) {
    auto json = Tree::parse(body);
    if (json) body = object(*json, now, true).text();
  }
  return encoded(std::move(body));
}

std::string Rendering::encoded(std::string json) const { return representation_.is_yaml ? as_yaml(json) : json; }

std::string Rendering::list_front(const Listing& listing) const {
  if (representation_.form == Form::kObject) return sandbox::list_front(listing);
  auto metadata = list_metadata(listing);
  auto list = representation_.form == Form::kTable ? table_without_rows(columns_, std::move(metadata), true)
                                                   : partial_list_without_items(std::move(metadata));
  auto text = list.text();
  return text.substr(0, text.size() - std::string_view(kListBack).size());
}

std::string Rendering::list_item(const kube::Object& object, WallTime now) const {
  auto text = item_text(*kind_, object);
  if (representation_.form == Form::kObject) return text;
  auto item = Tree::parse(text);
  if (!item) return text;
  if (representation_.form == Form::kTable) return row_of(columns_, *item, {now, include_object_, true}).text();
  return partial_of(*item).text();
}

std::string Rendering::events(std::string lines, WallTime now) {
  if (representation_.form == Form::kObject) return lines;
  std::string rendered;
  std::string_view rest = lines;
  while (!rest.empty()) {
    auto end = std::min(rest.find('\n'), rest.size());
    auto event = Tree::parse(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!event) continue;
    (*event)["object"] = object((*event)["object"], now, !has_sent_definitions_);
    has_sent_definitions_ = true;
    rendered += event->text() + "\n";
  }
  return rendered;
}

const char* Rendering::content_type() const {
  return representation_.is_yaml ? "application/yaml" : "application/json";
}

Tree Rendering::object(const Tree& json, WallTime now, bool has_definitions) const {
  auto name = json.text_at({"kind"});
  if (name != kind_->resource.kind && name != kind_->list_kind()) return json;
  if (representation_.form != Form::kTable) return metadata_of(*kind_, json);
  return table_of(*kind_, json, {now, include_object_, has_definitions});
}

}  // namespace keelson::sandbox
