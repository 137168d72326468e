// What may stand in a field: the limits of one described field or of the elements of a list, set in a chain.
//
// Each call is the OpenAPI v3 keyword of the same name. Texts are kept by reference, so only literals compile; a schema
// may also be a text of static storage that is found at run time (workload_schema.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/kube/kind.hpp"
#include "keelson/kube/literal.hpp"

namespace keelson::kube {

enum class ListType { kUnset, kAtomic, kSet, kMap };
// kAtomic: an apply replaces the whole value; kGranular: each member has its own field manager.
enum class MapType { kUnset, kAtomic, kGranular };

class Constraints {
 public:
  // Everything the chain sets; read by validation and by the schema.
  struct Rules {
    bool required = false;
    bool nullable = false;
    bool omit_zero = false;
    bool int_or_string = false;
    bool preserve_unknown_fields = false;
    bool embedded_resource = false;
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::optional<double> multiple_of;
    bool exclusive_minimum = false;
    bool exclusive_maximum = false;
    std::optional<std::size_t> min_length;
    std::optional<std::size_t> max_length;
    std::optional<std::size_t> min_items;
    std::optional<std::size_t> max_items;
    std::optional<std::size_t> min_properties;
    std::optional<std::size_t> max_properties;
    std::string_view pattern;
    std::string_view format;
    std::string_view title;
    std::string_view example;  // JSON
    std::vector<std::string_view> one_of;
    std::vector<std::int64_t> one_of_numbers;
    ListType list_type = ListType::kUnset;
    MapType map_type = MapType::kUnset;
    std::vector<std::string_view> map_keys;
    std::string_view default_value;  // JSON
    std::string_view schema;         // JSON
    std::vector<CelRule> cel;
  };

  // Must be there, and is written even when it is empty.
  Constraints& required() {
    return set([](Rules& r) { r.required = true; });
  }
  // Left out when it is zero, false, or a struct without a field that is written: Go's omitzero.
  Constraints& omit_zero() {
    return set([](Rules& r) { r.omit_zero = true; });
  }
  // `null` may stand there and is kept apart from absence by the API server.
  Constraints& nullable() {
    return set([](Rules& r) { r.nullable = true; });
  }
  Constraints& minimum(double value) {
    return set([&](Rules& r) { r.minimum = value; });
  }
  Constraints& maximum(double value) {
    return set([&](Rules& r) { r.maximum = value; });
  }
  Constraints& greater_than(double value) {
    return minimum(value).set([](Rules& r) { r.exclusive_minimum = true; });
  }
  Constraints& less_than(double value) {
    return maximum(value).set([](Rules& r) { r.exclusive_maximum = true; });
  }
  Constraints& multiple_of(double value) {
    return set([&](Rules& r) { r.multiple_of = value; });
  }
  // Characters, not bytes.
  Constraints& min_length(std::size_t value) {
    return set([&](Rules& r) { r.min_length = value; });
  }
  Constraints& max_length(std::size_t value) {
    return set([&](Rules& r) { r.max_length = value; });
  }
  Constraints& min_items(std::size_t value) {
    return set([&](Rules& r) { r.min_items = value; });
  }
  Constraints& max_items(std::size_t value) {
    return set([&](Rules& r) { r.max_items = value; });
  }
  // Members of a map or of a RawJson that is an object.
  Constraints& min_properties(std::size_t value) {
    return set([&](Rules& r) { r.min_properties = value; });
  }
  Constraints& max_properties(std::size_t value) {
    return set([&](Rules& r) { r.max_properties = value; });
  }
  // A regular expression that RE2 and ECMAScript read alike; it matches anywhere unless anchored.
  Constraints& pattern(Literal expression) {
    return set([&](Rules& r) { r.pattern = expression; });
  }
  Constraints& format(Literal name) {
    return set([&](Rules& r) { r.format = name; });
  }
  Constraints& one_of(std::initializer_list<Literal> values) {
    return set([&](Rules& r) { r.one_of.assign(values.begin(), values.end()); });
  }
  Constraints& one_of(std::initializer_list<std::int64_t> values) {
    return set([&](Rules& r) { r.one_of_numbers.assign(values.begin(), values.end()); });
  }
  // `uniqueItems` is missing on purpose: the API server rejects definitions with it. ListType::kSet is what it has
  // instead.
  Constraints& list_type(ListType type) {
    return set([&](Rules& r) { r.list_type = type; });
  }
  // Of a map or a described struct, whose fields controller-gen calls structType.
  Constraints& map_type(MapType type) {
    return set([&](Rules& r) { r.map_type = type; });
  }
  // A list whose entries are told apart by these members; two with the same are refused.
  Constraints& list_map(std::initializer_list<Literal> keys) {
    return list_type(ListType::kMap).set([&](Rules& r) { r.map_keys.assign(keys.begin(), keys.end()); });
  }
  // What the API server fills in when the field is absent, as JSON: "3", "\"Allow\"".
  Constraints& default_value(JsonLiteral json) {
    return set([&](Rules& r) { r.default_value = json; });
  }
  // For readers of the schema alone: a short name, and a value as JSON.
  Constraints& title(Literal text) {
    return set([&](Rules& r) { r.title = text; });
  }
  Constraints& example(JsonLiteral json) {
    return set([&](Rules& r) { r.example = json; });
  }
  // A CEL rule about this field (`self` is its value).
  Constraints& rule(std::string_view expression, std::string_view message) {
    return rule(CelRule{std::string(expression), std::string(message)});
  }
  Constraints& rule(CelRule rule) {
    return set([&](Rules& r) { r.cel.push_back(std::move(rule)); });
  }
  // For RawJson: an integer or a string, as ports and quantities are.
  Constraints& int_or_string() {
    return set([](Rules& r) { r.int_or_string = true; });
  }
  // The API server keeps members that the schema does not know. A RawJson is an object then; without it, any value.
  Constraints& preserve_unknown_fields() {
    return set([](Rules& r) { r.preserve_unknown_fields = true; });
  }
  // For RawJson: a whole object of Kubernetes, with apiVersion, kind and metadata. Its other members are kept.
  Constraints& embedded_resource() {
    return preserve_unknown_fields().set([](Rules& r) { r.embedded_resource = true; });
  }
  // For RawJson: the whole OpenAPI schema, such as PodSpec's. It replaces all but the documentation.
  Constraints& schema(std::string_view json) {
    return set([&](Rules& r) { r.schema = json; });
  }

  // The constraints of a list's or map's elements; the chain goes on with them.
  Constraints& items();

  [[nodiscard]] const Rules& rules() const { return rules_; }
  // Null: nothing was asked of the elements.
  [[nodiscard]] const Constraints* element() const { return element_.get(); }

 private:
  Constraints& set(auto change) {
    change(rules_);
    return *this;
  }

  Rules rules_;
  std::unique_ptr<Constraints> element_;
};

}  // namespace keelson::kube
