// The parts of a definition in the form of the API server's internal types, which its errors print as JSON.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// The internal form may be 50 times as long as the schema: an error has the first 4 MiB of it.
inline constexpr std::size_t kMostInternalBytes = std::size_t{4} << 20;

[[nodiscard]] std::string internal_schema(const Tree& schema);
[[nodiscard]] std::string internal_rule(const Tree& rule);

// The parts that the internal form of a version has itself; those of all versions are in the spec.
struct InternalParts {
  bool schema = false;
  bool subresources = false;
  bool columns = false;
  bool selectable = false;
};
[[nodiscard]] std::string internal_versions(const Tree* versions, const InternalParts& own);

// The internal names of the keywords that a schema sets, in the order of the type: {"Description", "description"}.
struct SchemaKeyword {
  const char* name;
  const char* json;
};
[[nodiscard]] std::vector<SchemaKeyword> set_keywords(const Tree& schema);

}  // namespace keelson::sandbox
