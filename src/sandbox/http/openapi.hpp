// OpenAPI v3 of what is served: the index, and one document for each group and version.
//
// Documents are made when they are asked for, from discovery's data and the kinds' schemas, so that they follow the
// definitions of custom kinds. Their hash is that of what they are made of: clients keep a document as long as its
// hash.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

// {"paths":{"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=…"}}}
[[nodiscard]] Tree openapi_index(const Kinds& kinds);

// "api/v1" or "apis/apps/v1" as group and version; nothing when that is not served.
struct GroupVersion {
  std::string group;
  std::string version;
};
[[nodiscard]] std::optional<GroupVersion> openapi_group(const Kinds& kinds, const std::string& path);

[[nodiscard]] std::string openapi_hash(const Kinds& kinds, const GroupVersion& of);
[[nodiscard]] std::string openapi_document(const Kinds& kinds, const GroupVersion& of);

// The definition of a custom kind, as the document has it.
[[nodiscard]] Tree custom_definition(const ServedKind& kind);

}  // namespace keelson::sandbox
