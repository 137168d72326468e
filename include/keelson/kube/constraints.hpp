// What may stand in a field: the limits of one described field or of the elements of a list, set in a chain.
//
// Each call is the OpenAPI v3 keyword of the same name. Texts are kept by reference, so only literals compile; a schema
// may also be a text of static storage that is found at run time (workload_schema.hpp).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "keelson/kube/kind.hpp"
#include "keelson/kube/literal.hpp"

namespace keelson::kube {

enum class ListType { kUnset, kAtomic, kSet, kMap };

class Constraints {
 public:
  // Everything the chain sets; read by validation and by the schema.
  struct Rules {
    bool required = false;
    bool nullable = false;
    bool omit_zero = false;
    bool int_or_string = false;
    std::optional<double> minimum;
    std::optional<double> maximum;
    bool exclusive_minimum = false;
    bool exclusive_maximum = false;
    std::optional<std::size_t> min_length;
    std::optional<std::size_t> max_length;
    std::optional<std::size_t> min_items;
    std::optional<std::size_t> max_items;
    std::string_view pattern;
    std::string_view format;
    std::vector<std::string_view> one_of;
    ListType list_type = ListType::kUnset;
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
  Constraints& list_type(ListType type) {
    return set([&](Rules& r) { r.list_type = type; });
  }
  // A list whose entries are told apart by these members; two with the same are refused.
  Constraints& list_map(std::initializer_list<Literal> keys) {
    return list_type(ListType::kMap).set([&](Rules& r) { r.map_keys.assign(keys.begin(), keys.end()); });
  }
  // What the API server fills in when the field is absent, as JSON: "3", "\"Allow\"".
  Constraints& default_value(Literal json) {
    return set([&](Rules& r) { r.default_value = json; });
  }
  // A CEL rule about this field (`self` is its value).
  Constraints& rule(std::string_view expression, std::string_view message) {
    return set([&](Rules& r) { r.cel.push_back({std::string(expression), std::string(message)}); });
  }
  // For RawJson: a number or a string, as ports and quantities are.
  Constraints& int_or_string() {
    return set([](Rules& r) { r.int_or_string = true; });
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
