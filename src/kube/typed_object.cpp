#include "keelson/kube/typed_object.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "keelson/json/writer.hpp"
#include "src/kube/api_request.hpp"

namespace keelson::kube::detail {

namespace {

using Path = std::vector<std::string>;

class FieldPaths {
 public:
  void add(const Type& type) {
    const bool is_list = type.shape == Type::Shape::kOptional || type.shape == Type::Shape::kList;
    if (is_list) return add(*type.element);
    const bool is_within_itself = std::ranges::find(open_, &type) != open_.end();
    if (type.shape != Type::Shape::kStruct || is_within_itself) return paths.push_back(path_);
    // The presence of an empty struct may be what is read, such as emptyDir of a volume.
    if (type.fields()->fields().empty()) return paths.push_back(path_);
    open_.push_back(&type);
    for (const auto& field : type.fields()->fields()) {
      path_.emplace_back(field.name);
      add(*field.type);
      path_.pop_back();
    }
    open_.pop_back();
  }

  std::vector<Path> paths;

 private:
  Path path_;
  std::vector<const Type*> open_;  // the enclosing structs
};

}  // namespace

std::string object_text(const Identity& identity, const Type& type, const void* object, Parts parts) {
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", identity.resource().api_version()).field("kind", identity.kind);
  for (const auto& field : type.fields()->fields()) {
    if (parts == Parts::kWithoutStatus && field.name == "status") continue;
    encode_member(writer, field, object);
  }
  writer.end_object();
  return std::move(writer).take();
}

Result<void> read_object(const Object& object, const Type& type, void* out) {
  return decode_json(object.json(), type, out, {});
}

Result<std::string> object_patch(const Type& type, const void* before, const void* after,
                                 std::string_view resource_version) {
  KEELSON_LET(auto from, json::Document::parse(encode_text(type, before)));
  KEELSON_LET(auto to, json::Document::parse(encode_text(type, after)));
  KEELSON_LET(const auto difference, json::Document::parse(json::merge_diff(from.root(), to.root())));
  if (difference.root().size() == 0) return std::string();
  // The resourceVersion that was read, for optimistic locking.
  return with_resource_version(difference.root(), resource_version);
}

json::Projection projection_of(const Type& type) {
  FieldPaths fields;
  fields.add(type);
  const bool has_annotations = std::erase(fields.paths, Path{"metadata", "annotations"}) > 0;
  const auto projection = json::Projection::of(fields.paths);
  return has_annotations ? projection.merged(json::Projection::annotations()) : projection;
}

}  // namespace keelson::kube::detail
