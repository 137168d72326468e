#include "keelson/kube/typed_object.hpp"

#include <algorithm>
#include <string>
#include <vector>

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

json::Projection projection_of(const Type& type) {
  FieldPaths fields;
  fields.add(type);
  const bool has_annotations = std::erase(fields.paths, Path{"metadata", "annotations"}) > 0;
  const auto projection = json::Projection::of(fields.paths);
  return has_annotations ? projection.merged(json::Projection::annotations()) : projection;
}

}  // namespace keelson::kube::detail
