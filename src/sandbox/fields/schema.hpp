// The fields of a kind, compiled from its schema so that a write is held against them in one pass.
//
// Those of Kubernetes' own definitions are compiled when they are first looked at and shared by all servers of the
// process; those of a custom kind belong to it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "keelson/json/value.hpp"
#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

struct Schema;

// A field, the entries of a list or the values of a map: a schema of its own, or a definition by its name.
class SchemaPart {
 public:
  SchemaPart() = default;
  explicit SchemaPart(std::unique_ptr<Schema> own);
  explicit SchemaPart(std::string definition) : definition_(std::move(definition)) {}

  [[nodiscard]] const Schema& schema() const;

 private:
  std::shared_ptr<const Schema> own_;
  std::string definition_;
  mutable const Schema* found_ = nullptr;  // of the definition, once it was looked up
};

struct PatchKey {
  bool merges = false;    // a list entry by entry
  bool replaces = false;  // an object as a whole
  std::string key;        // by which entries are told apart; empty: scalars
};

struct SchemaField {
  SchemaPart part;
  PatchKey patch;
};

struct Schema {
  enum class Type : std::uint8_t {
    kAny,
    kObject,  // with fields
    kMap,     // of values
    kList,
    kString,
    kBytes,
    kInteger,  // of 32 or 64 bits
    kNumber,
    kBool,
    kQuantity,
    kIntOrString,
    kTime,
    kMicroTime,
  };
  Type type = Type::kAny;
  bool is_wide = false;  // an integer of 64 bits
  // A custom kind's object that keeps what it does not declare.
  bool keeps_unknown = false;
  std::string go_type;  // as Go's JSON decoder names it: "v1.DeploymentSpec", "int32", "[]v1.Container"
  std::unordered_map<std::string_view, SchemaField> fields;
  std::unique_ptr<std::string[]> names;  // what the keys of `fields` point into
  SchemaPart items;                      // of lists and maps

  [[nodiscard]] const SchemaField* find(std::string_view name) const {
    auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
  }
  // "DeploymentSpec"
  [[nodiscard]] std::string_view struct_name() const { return std::string_view(go_type).substr(go_type.find('.') + 1); }
};

// Of a definition of Kubernetes' own; null when there is none of that name.
[[nodiscard]] const Schema* built_in_schema(const std::string& definition);

// Of a custom kind, from the OpenAPI schema of a version; without one anything goes.
[[nodiscard]] std::shared_ptr<const Schema> custom_schema(const Tree& openapi);

}  // namespace keelson::sandbox
