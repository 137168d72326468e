#include "src/sandbox/tables/table_columns.hpp"

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

const Tree* at_path(const Tree& object, const std::vector<std::string>& path) {
  const Tree* at = &object;
  for (const auto& name : path) {
    at = at->find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

Column created_at_column() {
  auto column = text_column("Created At", {"metadata", "creationTimestamp"});
  column.type = "date";
  column.description = kAgeDescription;
  return column;
}

}  // namespace

Columns built_in_columns(const kube::Resource& resource) {
  for (auto* columns_of : {workload_columns, network_columns, cluster_columns}) {
    auto columns = columns_of(resource.kind);
    if (!columns.empty()) return columns;
  }
  return {name_column(), created_at_column()};
}

Column name_column() {
  auto column = text_column("Name", {"metadata", "name"});
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

Column text_column(std::string name, std::vector<std::string> path, std::string otherwise, int priority) {
  return {std::move(name),
          [path = std::move(path), otherwise = std::move(otherwise)](const Tree& object, WallTime /*now*/) -> Tree {
            return {text_or(at_path(object, path), otherwise)};
          },
          "string", priority};
}

Column number_column(std::string name, std::vector<std::string> path) {
  return {std::move(name),
          [path = std::move(path)](const Tree& object, WallTime /*now*/) {
            const Tree* number = at_path(object, path);
            return number != nullptr && number->type() == Tree::Type::kNumber ? *number : Tree(0);
          },
          "integer"};
}

Column computed_column(std::string name, std::string (*text)(const Tree& object), int priority) {
  return {std::move(name), [text](const Tree& object, WallTime /*now*/) -> Tree { return {text(object)}; }, "string",
          priority};
}

}  // namespace keelson::sandbox
