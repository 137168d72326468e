// Table of meta.k8s.io: objects as rows that `kubectl get` prints.
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
  const char* meta_version = "meta.k8s.io/v1";
};

// The table of an object of the kind, or of a list of them.
[[nodiscard]] Tree table_of(const ServedKind& kind, const Tree& body, const TableOptions& options);

// The parts of such a table: the table without rows, and a row.
[[nodiscard]] Columns columns_of(const ServedKind& kind);
[[nodiscard]] Tree table_without_rows(const Columns& columns, Tree metadata, const TableOptions& options);
[[nodiscard]] Tree row_of(const Columns& columns, const Tree& object, const TableOptions& options);

// PartialObjectMetadata for an object, PartialObjectMetadataList for a list.
[[nodiscard]] Tree metadata_of(const ServedKind& kind, const Tree& body, const char* meta_version);
// An item of a list as an object of its own: with its kind, which items of built-in kinds lack.
[[nodiscard]] Tree typed_item(const ServedKind& kind, Tree item);

// PartialObjectMetadata.
[[nodiscard]] Tree partial_of(const Tree& object, const char* meta_version);
// PartialObjectMetadataList.
[[nodiscard]] Tree partial_list_without_items(Tree metadata, const char* meta_version);

}  // namespace keelson::sandbox
