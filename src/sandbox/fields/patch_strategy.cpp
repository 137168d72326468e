#include "src/sandbox/fields/patch_strategy.hpp"

#include <string_view>

#include "src/sandbox/fields/schema.hpp"
#include "src/sandbox/http/openapi_paths.hpp"

namespace keelson::sandbox {

namespace {

// The schema with fields below lists of any depth.
const Schema& looked_through(const Schema& schema) {
  const Schema* inner = &schema;
  while (inner->type == Schema::Type::kList) inner = &inner->items.schema();
  return *inner;
}

}  // namespace

PatchStrategy patch_strategy(const ServedKind& kind, const std::string& path) {
  const auto* schema = kind.is_custom ? nullptr : built_in_schema(openapi_name(kind));
  const SchemaField* field = nullptr;
  std::string_view rest = path;
  while (schema != nullptr && !rest.empty()) {
    auto dot = rest.find('.');
    const auto& inner = looked_through(*schema);
    field = inner.find(rest.substr(0, dot));
    const bool is_key = field == nullptr && inner.type == Schema::Type::kMap;
    if (field == nullptr && !is_key) return {.merge_key = ""};
    schema = is_key ? &inner.items.schema() : &field->part.schema();
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  if (field == nullptr) return {.merge_key = ""};
  return {.merges_list = field->patch.merges, .merge_key = field->patch.key, .replaces_object = field->patch.replaces};
}

}  // namespace keelson::sandbox
