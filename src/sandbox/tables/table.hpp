// meta.k8s.io/v1 Table: objects as rows that `kubectl get` prints.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

struct TableOptions {
  WallTime now;
  std::string include_object = "Metadata";  // None, Metadata, Object
  bool has_definitions = true;              // only the first event of a watch has them
};

// The table of an object of the kind, or of a list of them.
[[nodiscard]] Tree table_of(const ServedKind& kind, const Tree& body, const TableOptions& options);

// The parts of such a table: the table without rows, and a row.
[[nodiscard]] Columns columns_of(const ServedKind& kind);
[[nodiscard]] Tree table_without_rows(const Columns& columns, Tree metadata, bool has_definitions);
[[nodiscard]] Tree row_of(const Columns& columns, const Tree& object, const TableOptions& options);

// PartialObjectMetadata for an object, PartialObjectMetadataList for a list.
[[nodiscard]] Tree metadata_of(const ServedKind& kind, const Tree& body);
// PartialObjectMetadata.
[[nodiscard]] Tree partial_of(const Tree& object);
// PartialObjectMetadataList.
[[nodiscard]] Tree partial_list_without_items(Tree metadata);

}  // namespace keelson::sandbox
