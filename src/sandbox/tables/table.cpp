#include "src/sandbox/tables/table.hpp"

#include <charconv>

#include "keelson/schema/time.hpp"
#include "src/sandbox/tables/json_path.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

namespace {

bool is_list(const ServedKind& kind, const Tree& body) { return body.text_at({"kind"}) == kind.list_kind(); }

// The metadata of a list, or only the resourceVersion of an object.
Tree table_metadata(const Tree& body, bool of_list) {
  if (of_list) return body.copy_at({"metadata"});
  return Tree::object({{"resourceVersion", body.text_at({"metadata", "resourceVersion"})}});
}

Tree definitions_of(const std::vector<Column>& columns) {
  auto definitions = Tree::array();
  for (const auto& column : columns) {
    if (column.name.empty()) continue;
    definitions.items().push_back(Tree::object({{"name", column.name},
                                                {"type", column.type},
                                                {"format", column.format},
                                                {"description", column.description},
                                                {"priority", column.priority}}));
  }
  return definitions;
}

// In a column of integers, a number loses its fraction.
Tree whole(const Tree& number) {
  auto text = number.scalar();
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? Tree(value) : Tree();
}

Tree age_of(const Tree& time, WallTime now) {
  return {kube::parse_time(time.scalar()) ? since(&time, now) : "<invalid>"};
}

// A value of another type gives an empty cell, as in cellForJSONValue of apiextensions-apiserver.
Tree cell_of(const std::string& type, const Tree& value, WallTime now) {
  if (value.is_null()) return {};
  if (type == "string") return {value.is_array() || value.is_object() ? value.text() : value.scalar()};
  if (type == "date") return value.is_string() ? age_of(value, now) : Tree();
  if (type == "boolean") return value.type() == Tree::Type::kBool ? value : Tree();
  if (value.type() != Tree::Type::kNumber) return {};
  return type == "integer" ? whole(value) : value;
}

Column column_of(const Tree& definition) {
  auto path = definition.text_at({"jsonPath"});
  auto type = definition.text_at({"type"});
  auto cell = [path, type](const Tree& object, WallTime now) {
    auto found = find_path(object, path);
    return found.empty() ? Tree() : cell_of(type, *found[0], now);
  };
  Column column{definition.text_at({"name"}), cell, type, static_cast<int>(definition.integer_at({"priority"}))};
  column.format = definition.text_at({"format"});
  column.description = definition.text_at({"description"});
  if (column.description.empty()) {
    column.description = "Custom resource definition column (in JSONPath format): " + path;
  }
  return column;
}

// The columns of a custom kind: its additionalPrinterColumns, or its age.
Columns custom_columns(const Tree& printer_columns) {
  Columns columns{name_column()};
  for (const auto& definition : printer_columns.items()) columns.push_back(column_of(definition));
  if (columns.size() > 1) return columns;
  auto age = age_column();
  age.type = "date";
  columns.push_back(age);
  return columns;
}

}  // namespace

Columns columns_of(const ServedKind& kind) {
  return kind.is_custom ? custom_columns(kind.printer_columns) : built_in_columns(kind.resource);
}

Tree table_without_rows(const Columns& columns, Tree metadata, const TableOptions& options) {
  return Tree::object({{"kind", "Table"},
                       {"apiVersion", options.meta_version},
                       {"metadata", std::move(metadata)},
                       {"columnDefinitions", options.has_definitions ? definitions_of(columns) : Tree()},
                       {"rows", Tree::array()}});
}

Tree row_of(const Columns& columns, const Tree& object, const TableOptions& options) {
  auto cells = Tree::array();
  for (const auto& column : columns) cells.items().push_back(column.cell(object, options.now));
  auto row = Tree::object({{"cells", cells}});
  if (options.include_object == "Object") row["object"] = object;
  if (options.include_object == "Metadata") row["object"] = partial_of(object, options.meta_version);
  return row;
}

Tree typed_item(const ServedKind& kind, Tree item) {
  if (item.find("kind") != nullptr) return item;
  item.members().emplace_front("apiVersion", kind.resource.api_version());
  item.members().emplace_front("kind", kind.resource.kind);
  return item;
}

Tree table_of(const ServedKind& kind, const Tree& body, const TableOptions& options) {
  const auto columns = columns_of(kind);
  const bool of_list = is_list(kind, body);
  auto table = table_without_rows(columns, table_metadata(body, of_list), options);
  auto& rows = table["rows"].items();
  if (!of_list) rows.push_back(row_of(columns, body, options));
  if (of_list) {
    for (const auto& item : body.find("items")->items()) {
      rows.push_back(row_of(columns, typed_item(kind, item), options));
    }
  }
  return table;
}

Tree partial_of(const Tree& object, const char* meta_version) {
  return Tree::object(
      {{"kind", "PartialObjectMetadata"}, {"apiVersion", meta_version}, {"metadata", object.copy_at({"metadata"})}});
}

Tree partial_list_without_items(Tree metadata, const char* meta_version) {
  return Tree::object({{"kind", "PartialObjectMetadataList"},
                       {"apiVersion", meta_version},
                       {"metadata", std::move(metadata)},
                       {"items", Tree::array()}});
}

Tree metadata_of(const ServedKind& kind, const Tree& body, const char* meta_version) {
  if (!is_list(kind, body)) return partial_of(body, meta_version);
  auto list = partial_list_without_items(*body.find("metadata"), meta_version);
  for (const auto& item : body.find("items")->items()) list["items"].items().push_back(partial_of(item, meta_version));
  return list;
}

}  // namespace keelson::sandbox
