// The openAPIV3Schema of a custom kind, compiled for validation when its definition is written.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/cel/pattern.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct ValueRules;  // x-kubernetes-validations

struct ValueSchema {
  std::string type;    // empty: any; "integer,string" of x-kubernetes-int-or-string
  std::string format;  // empty when the API server does not check it
  bool is_nullable = false;
  bool keeps_unknown = false;
  bool is_embedded = false;
  bool has_unique_items = false;
  bool forbids_others = false;  // additionalProperties: false
  bool allows_others = false;   // additionalProperties: true
  bool has_exclusive_minimum = false;
  bool has_exclusive_maximum = false;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> multiple_of;
  std::optional<std::int64_t> min_length;
  std::optional<std::int64_t> max_length;
  std::optional<std::int64_t> min_items;
  std::optional<std::int64_t> max_items;
  std::optional<std::int64_t> min_properties;
  std::optional<std::int64_t> max_properties;
  std::string pattern;
  std::optional<cel::Pattern> compiled_pattern;
  std::vector<Tree> values;  // enum
  std::vector<std::string> required;
  std::string list_type;
  std::vector<std::string> list_keys;
  std::optional<Tree> default_value;

  std::map<std::string, std::unique_ptr<ValueSchema>, std::less<>> properties;
  std::unique_ptr<ValueSchema> items;
  std::unique_ptr<ValueSchema> others;  // additionalProperties
  std::vector<std::unique_ptr<ValueSchema>> all_of;
  std::vector<std::unique_ptr<ValueSchema>> any_of;
  std::vector<std::unique_ptr<ValueSchema>> one_of;
  std::unique_ptr<ValueSchema> negated;  // not

  // Whether this schema or one below it has such parts.
  bool has_defaults = false;
  bool has_list_types = false;
  bool has_embedded = false;
  bool has_rules = false;
  std::shared_ptr<const ValueRules> rules;  // null: no rules at this level

  // The schema of a property, or that of additionalProperties; null if neither describes the name.
  [[nodiscard]] const ValueSchema* find(std::string_view name) const {
    auto found = properties.find(name);
    return found != properties.end() ? found->second.get() : others.get();
  }
  [[nodiscard]] bool allows_type(std::string_view name) const;
};

// Compiles a schema that was checked. Malformed parts are ignored.
[[nodiscard]] std::unique_ptr<ValueSchema> compile_value_schema(const Tree& openapi);

}  // namespace keelson::sandbox
