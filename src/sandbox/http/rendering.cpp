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

std::string Rendering::encoded(std::string json) const { return in_format(representation_.format, std::move(json)); }

ProtobufList Rendering::protobuf_list(const Listing& listing) const {
  const bool is_object = representation_.form == Form::kObject;
  return {is_object ? kind_->resource.api_version() : representation_.meta_version,
          is_object ? kind_->list_kind() : "PartialObjectMetadataList", list_metadata(listing)};
}

Tree Rendering::protobuf_item(const kube::Object& object) const {
  auto item = Tree::parse(item_text(*kind_, object));
  return item ? std::move(*item) : Tree();
}

std::string Rendering::list_front(const Listing& listing) const {
  if (representation_.form == Form::kObject) return sandbox::list_front(listing);
  auto metadata = list_metadata(listing);
  const TableOptions options{.meta_version = representation_.meta_version};
  auto list = representation_.form == Form::kTable
                  ? table_without_rows(columns_, std::move(metadata), options)
                  : partial_list_without_items(std::move(metadata), options.meta_version);
  auto text = list.text();
  return text.substr(0, text.size() - std::string_view(kListBack).size());
}

std::string Rendering::list_item(const kube::Object& object, WallTime now) const {
  auto text = item_text(*kind_, object);
  if (representation_.form == Form::kObject) return text;
  auto item = Tree::parse(text);
  if (!item) return text;
  if (representation_.form == Form::kTable) {
    return row_of(columns_, typed_item(*kind_, *std::move(item)),
                  {now, include_object_, true, representation_.meta_version})
        .text();
  }
  return partial_of(*item, representation_.meta_version).text();
}

std::string Rendering::events(std::string lines, WallTime now) {
  if (representation_.form == Form::kObject && !is_protobuf()) return lines;
  std::string rendered;
  std::string_view rest = lines;
  while (!rest.empty()) {
    auto end = std::min(rest.find('\n'), rest.size());
    auto event = Tree::parse(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (event) rendered += this->event(std::move(*event), now);
  }
  return rendered;
}

std::string Rendering::event(Tree event, WallTime now) {
  auto& shown = event["object"];
  if (representation_.form != Form::kObject) shown = object(shown, now, !has_sent_definitions_);
  has_sent_definitions_ = true;
  return is_protobuf() ? protobuf_event(event.text_at({"type"}), shown) : event.text() + "\n";
}

const char* Rendering::content_type() const { return content_type_of(representation_.format); }

const char* Rendering::content_type_of_events() const {
  return is_protobuf() ? "application/vnd.kubernetes.protobuf;stream=watch" : "application/json";
}

Tree Rendering::object(const Tree& json, WallTime now, bool has_definitions) const {
  auto name = json.text_at({"kind"});
  if (name != kind_->resource.kind && name != kind_->list_kind()) return json;
  if (representation_.form != Form::kTable) return metadata_of(*kind_, json, representation_.meta_version);
  return table_of(*kind_, json, {now, include_object_, has_definitions, representation_.meta_version});
}

std::string in_format(Representation::Format format, std::string json) {
  if (format == Representation::Format::kJson) return json;
  if (format == Representation::Format::kYaml) return as_yaml(json);
  auto body = Tree::parse(json);
  return body ? protobuf_of(*body) : json;
}

const char* content_type_of(Representation::Format format) {
  if (format == Representation::Format::kProtobuf) return kProtobuf;
  return format == Representation::Format::kYaml ? "application/yaml" : "application/json";
}

}  // namespace keelson::sandbox
