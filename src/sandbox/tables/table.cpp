#include "src/sandbox/tables/table.hpp"

#include "src/sandbox/tables/custom_columns.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kMetaVersion = "meta.k8s.io/v1";

bool is_list(const ServedKind& kind, const Tree& body) { return body.text_at({"kind"}) == kind.list_kind(); }

Tree partial(const Tree& object) {
  const Tree* metadata = object.find("metadata");
  return Tree::object({{"kind", "PartialObjectMetadata"},
                       {"apiVersion", kMetaVersion},
                       {"metadata", metadata != nullptr ? *metadata : Tree::object()}});
}

// Of a list its own; of an object its version alone.
Tree table_metadata(const Tree& body, bool of_list) {
  const Tree* metadata = body.find("metadata");
  if (of_list) return metadata != nullptr ? *metadata : Tree::object();
  return Tree::object({{"resourceVersion", body.text_at({"metadata", "resourceVersion"})}});
}

Tree definitions_of(const std::vector<Column>& columns) {
  auto definitions = Tree::array();
  for (const auto& column : columns) {
    definitions.items().push_back(Tree::object({{"name", column.name},
                                                {"type", column.type},
                                                {"format", column.format},
                                                {"description", column.description},
                                                {"priority", column.priority}}));
  }
  return definitions;
}

Tree row_of(const std::vector<Column>& columns, const Tree& object, const TableOptions& options) {
  auto cells = Tree::array();
  for (const auto& column : columns) cells.items().push_back(column.cell(object, options.now));
  auto row = Tree::object({{"cells", cells}});
  if (options.include_object == "Object") row["object"] = object;
  if (options.include_object == "Metadata") row["object"] = partial(object);
  return row;
}

}  // namespace

Tree table_of(const ServedKind& kind, const Tree& body, const TableOptions& options) {
  const auto columns = kind.is_custom ? custom_columns(kind.printer_columns) : built_in_columns(kind.resource);
  auto rows = Tree::array();
  bool of_list = is_list(kind, body);
  if (of_list) {
    for (const auto& item : body.find("items")->items()) rows.items().push_back(row_of(columns, item, options));
  } else {
    rows.items().push_back(row_of(columns, body, options));
  }
  return Tree::object({{"kind", "Table"},
                       {"apiVersion", kMetaVersion},
                       {"metadata", table_metadata(body, of_list)},
                       {"columnDefinitions", options.has_definitions ? definitions_of(columns) : Tree()},
                       {"rows", rows}});
}

Tree metadata_of(const ServedKind& kind, const Tree& body) {
  if (!is_list(kind, body)) return partial(body);
  auto items = Tree::array();
  for (const auto& item : body.find("items")->items()) items.items().push_back(partial(item));
  return Tree::object({{"kind", "PartialObjectMetadataList"},
                       {"apiVersion", kMetaVersion},
                       {"metadata", *body.find("metadata")},
                       {"items", items}});
}

}  // namespace keelson::sandbox
