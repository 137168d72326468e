// OpenAPI v3 of the served kinds: the index, and a document for each group and version.
//
// A document is created for each request, from discovery's data and the kinds' schemas, so that it follows changes of
// custom resource definitions. Its hash is that of this input: clients cache a document while its hash does not change.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// {"paths":{"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=…"}}}
[[nodiscard]] Tree openapi_index(const Kinds& kinds);

// "api/v1" or "apis/apps/v1" as group and version; nullopt if that is not served.
struct GroupVersion {
  std::string group;
  std::string version;
};
[[nodiscard]] std::optional<GroupVersion> openapi_group(const Kinds& kinds, const std::string& path);

[[nodiscard]] std::string openapi_hash(const Kinds& kinds, const GroupVersion& of);
[[nodiscard]] std::string openapi_document(const Kinds& kinds, const GroupVersion& of);

// The definition of a custom kind, as in the document.
[[nodiscard]] Tree custom_definition(const ServedKind& kind);
// The definition of its list; `name` is that of its own definition.
[[nodiscard]] Tree custom_list(const ServedKind& kind, const std::string& name);

}  // namespace keelson::sandbox
