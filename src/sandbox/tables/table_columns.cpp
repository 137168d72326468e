#include "src/sandbox/tables/table_columns.hpp"

#include "src/sandbox/fields/simple_path.hpp"

namespace keelson::sandbox {

namespace {

// The beginning of the descriptions of metadata.name and metadata.creationTimestamp.
constexpr const char* kNameDescription =
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a "
    "client to request the generation of an appropriate name automatically. Name is primarily intended for creation "
    "idempotence and configuration definition. Cannot be updated. More info: "
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
constexpr const char* kAgeDescription =
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed "
    "to be set in happens-before order across separate operations. Clients may not set this value. It is represented "
    "in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: "
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

Column created_at_column() {
  auto column = text_column("Created At", "metadata.creationTimestamp");
  column.type = "date";
  column.description = kAgeDescription;
  return column;
}

}  // namespace

Columns built_in_columns(const kube::Resource& resource) {
  for (const auto* columns : {&workload_columns(), &network_columns(), &cluster_columns(), &extension_columns()}) {
    if (const auto found = columns->find(resource.kind); found != columns->end()) return found->second;
  }
  return {name_column(), created_at_column()};
}

Column name_column() {
  auto column = text_column("Name", "metadata.name");
  column.format = "name";
  column.description = kNameDescription;
  return column;
}

Column age_column() {
  Column column{"Age", [](const Tree& object, WallTime now) -> Tree {
                  return {since(object.at({"metadata", "creationTimestamp"}), now)};
                }};
  column.description = kAgeDescription;
  return column;
}

Column text_column(std::string name, std::string path, std::string otherwise, int priority) {
  return {std::move(name),
          [path = std::move(path), otherwise = std::move(otherwise)](const Tree& object, WallTime /*now*/) -> Tree {
            return {text_or(at_path(object, path), otherwise)};
          },
          "string", priority};
}

Column number_column(std::string name, std::string path, std::string type) {
  return {std::move(name),
          [path = std::move(path)](const Tree& object, WallTime /*now*/) {
            const Tree* number = at_path(object, path);
            return number != nullptr && number->type() == Tree::Type::kNumber ? *number : Tree(0);
          },
          std::move(type)};
}

Column flag_column(std::string name, std::string path, std::string type) {
  return {std::move(name),
          [path = std::move(path)](const Tree& object, WallTime /*now*/) {
            const Tree* flag = at_path(object, path);
            return flag != nullptr ? *flag : Tree(false);
          },
          std::move(type)};
}

Column size_column(std::string name, std::string path, std::string type) {
  return {std::move(name),
          [path = std::move(path)](const Tree& object, WallTime /*now*/) -> Tree {
            const Tree* value = at_path(object, path);
            const auto size = value == nullptr ? 0 : value->items().size() + value->members().size();
            return {static_cast<std::int64_t>(size)};
          },
          std::move(type)};
}

Column selector_column(std::string name, std::string path, std::string (*format)(const Tree*), int priority) {
  return {std::move(name),
          [path = std::move(path), format](const Tree& object, WallTime /*now*/) -> Tree {
            return {format(at_path(object, path))};
          },
          "string", priority};
}

Column computed_column(std::string name, std::string (*text)(const Tree& object), int priority) {
  return {std::move(name), [text](const Tree& object, WallTime /*now*/) -> Tree { return {text(object)}; }, "string",
          priority};
}

}  // namespace keelson::sandbox
