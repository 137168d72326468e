// The fields of a kind, compiled from its schema so that a write is checked in a single pass.
//
// Schemas of Kubernetes' own definitions are compiled at their first use and shared by all servers of the process; the
// schema of a custom kind belongs to the kind.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/detail/base/text_hash.hpp"
#include "keelson/json/value.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct Schema;

// The schema of a field, of list items or of map values: an own schema, or a definition by name.
class SchemaPart {
 public:
  SchemaPart() = default;
  explicit SchemaPart(std::unique_ptr<Schema> own);
  explicit SchemaPart(std::string definition) : definition_(std::move(definition)) {}

  [[nodiscard]] const Schema& schema() const;

 private:
  std::shared_ptr<const Schema> own_;
  std::string definition_;
  mutable const Schema* found_ = nullptr;  // the schema of the definition, after the first lookup
};

struct PatchKey {
  bool merges = false;    // a list is merged by entry
  bool replaces = false;  // an object is replaced as a whole
  std::string key;        // the key of list entries; empty for scalars
};

struct SchemaField {
  SchemaPart part;
  PatchKey patch;
};

struct Schema {
  enum class Type : std::uint8_t {
    kAny,
    kObject,  // with fixed fields
    kMap,     // with values of the same type
    kList,
    kString,
    kBytes,
    kInteger,  // 32 or 64 bits
    kNumber,
    kBool,
    kQuantity,
    kIntOrString,
    kTime,
    kMicroTime,
  };
  Type type = Type::kAny;
  bool is_wide = false;  // a 64-bit integer
  // An object of a custom kind that retains undeclared fields.
  bool keeps_unknown = false;
  std::string go_type;  // the name in Go's JSON decoder: "v1.DeploymentSpec", "int32", "[]v1.Container"
  base::TextMap<std::string_view, SchemaField> fields;
  std::unique_ptr<std::string[]> names;  // the storage of the keys of `fields`
  SchemaPart items;                      // of lists and maps

  [[nodiscard]] const SchemaField* find(std::string_view name) const {
    auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
  }
  // "DeploymentSpec"
  [[nodiscard]] std::string_view struct_name() const { return std::string_view(go_type).substr(go_type.find('.') + 1); }
};

// The schema of one of Kubernetes' own definitions; null if there is none of this name.
[[nodiscard]] const Schema* built_in_schema(const std::string& definition);

// The schema of a custom kind, from the OpenAPI schema of a version; without one every field is allowed.
[[nodiscard]] std::shared_ptr<const Schema> custom_schema(const Tree& openapi);

}  // namespace keelson::sandbox
