// The constraints of one described field, or of the elements of a list or map: a chain of calls after field().
//
// Example (test/examples/schema.cpp#constraints):
//   d.field("ports", spec.ports, "Ports of the Service.").max_items(16).items().minimum(1).maximum(65535);
//
// Each call is the OpenAPI v3 keyword of the same name (min_length is minLength), and corresponds to a kubebuilder
// marker. The API server enforces all of them; kube::validate() checks the same in the program, except CEL rules and
// formats.
//
// A constraint that does not fit its field (min_length() of a number) is a base::Misuse when the schema is generated.
// Adding a constraint to a released version is a breaking change: stored objects that violate it can only be updated in
// ways that do not touch the violation.
//
// Texts are stored by reference, so only literals compile. schema() also accepts a text of static storage that is made
// at run time (workload_schema.hpp).
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

#include "keelson/detail/schema/kind.hpp"
#include "keelson/detail/schema/literal.hpp"

namespace keelson::kube {

// How the API server merges applies of a list. kAtomic: as a whole, which is the default. kSet: by value; values are
// unique. kMap: by the key members of each entry; keys are unique.
enum class ListType { kUnset, kAtomic, kSet, kMap };
// kAtomic: an apply replaces the whole value. kGranular, the default: each member has its own field manager.
enum class MapType { kUnset, kAtomic, kGranular };

// Made by Description::field() and items(). Every call returns the same object.
class Constraints {
 public:
  // The result of the chain, for validation and the schema generator. Unset limits are nullopt, unset texts are empty.
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
    std::string_view example;                  // JSON
    std::vector<std::string_view> one_of;      // enum of a string
    std::vector<std::int64_t> one_of_numbers;  // enum of a number
    ListType list_type = ListType::kUnset;
    MapType map_type = MapType::kUnset;
    std::vector<std::string_view> map_keys;  // x-kubernetes-list-map-keys
    std::string_view default_value;          // JSON
    std::string_view schema;                 // JSON
    std::vector<CelRule> cel;                // x-kubernetes-validations
  };

  // The API server rejects objects without the field. The program writes it even if it is empty. An empty string, list
  // or map satisfies it: add min_length(1), min_items(1) or min_properties(1) to reject those.
  Constraints& required() {
    return set([](Rules& r) { r.required = true; });
  }
  // The field is not written if it is zero, false, or a struct without a field that is written: Go's omitzero. Without
  // it, numbers, bools and structs are always written.
  Constraints& omit_zero() {
    return set([](Rules& r) { r.omit_zero = true; });
  }
  // The API server accepts `null` and stores it, so that it differs from absence. Otherwise it drops a null.
  Constraints& nullable() {
    return set([](Rules& r) { r.nullable = true; });
  }
  // Limits of numbers, both inclusive.
  Constraints& minimum(double value) {
    return set([&](Rules& r) { r.minimum = value; });
  }
  // Above 2^53 a double cannot represent every integer: the limit is rounded.
  Constraints& maximum(double value) {
    return set([&](Rules& r) { r.maximum = value; });
  }
  // The same with exclusiveMinimum and exclusiveMaximum. They replace minimum() and maximum().
  Constraints& greater_than(double value) {
    return minimum(value).set([](Rules& r) { r.exclusive_minimum = true; });
  }
  Constraints& less_than(double value) {
    return maximum(value).set([](Rules& r) { r.exclusive_maximum = true; });
  }
  // A whole number above 0; the API server ignores the fraction of any other.
  Constraints& multiple_of(double value) {
    return set([&](Rules& r) { r.multiple_of = value; });
  }
  // Lengths of strings in characters (Unicode code points), not in bytes. Set max_length() on every string that a CEL
  // rule reads: the API server rejects rules whose estimated cost is too high, and strings without limit are expensive.
  Constraints& min_length(std::size_t value) {
    return set([&](Rules& r) { r.min_length = value; });
  }
  Constraints& max_length(std::size_t value) {
    return set([&](Rules& r) { r.max_length = value; });
  }
  // Numbers of items of a list. kube::validate() accepts an empty list that is not required(): it is not written.
  Constraints& min_items(std::size_t value) {
    return set([&](Rules& r) { r.min_items = value; });
  }
  Constraints& max_items(std::size_t value) {
    return set([&](Rules& r) { r.max_items = value; });
  }
  // Numbers of members of a map, or of a RawJson with preserve_unknown_fields().
  Constraints& min_properties(std::size_t value) {
    return set([&](Rules& r) { r.min_properties = value; });
  }
  Constraints& max_properties(std::size_t value) {
    return set([&](Rules& r) { r.max_properties = value; });
  }
  // A regular expression in the common subset of RE2 (the API server) and ECMAScript (kube::validate). It matches any
  // part of the string unless it is anchored: "^[a-z]+$".
  Constraints& pattern(Literal expression) {
    return set([&](Rules& r) { r.pattern = expression; });
  }
  // "date-time", "uri", "ipv4" and others that apiextensions knows. Unknown formats have no effect, and only the API
  // server checks a format.
  Constraints& format(Literal name) {
    return set([&](Rules& r) { r.format = name; });
  }
  // The permitted values of a string (enum). Adding a value later is compatible, removing one is not.
  Constraints& one_of(std::initializer_list<Literal> values) {
    return set([&](Rules& r) { r.one_of.assign(values.begin(), values.end()); });
  }
  // The permitted values of a number.
  Constraints& one_of(std::initializer_list<std::int64_t> values) {
    return set([&](Rules& r) { r.one_of_numbers.assign(values.begin(), values.end()); });
  }
  // How applies of the list are merged. There is no unique_items(): the API server rejects definitions with
  // uniqueItems, and ListType::kSet replaces it.
  Constraints& list_type(ListType type) {
    return set([&](Rules& r) { r.list_type = type; });
  }
  // How applies of a map or of a described struct are merged (controller-gen: +mapType, +structType).
  Constraints& map_type(MapType type) {
    return set([&](Rules& r) { r.map_type = type; });
  }
  // A list whose entries are identified by these members, such as {"name"}. The API server rejects two entries with
  // equal keys, and applies of different managers merge by key. Keys are scalars that are required() or have a
  // default_value().
  Constraints& list_map(std::initializer_list<Literal> keys) {
    return list_type(ListType::kMap).set([&](Rules& r) { r.map_keys.assign(keys.begin(), keys.end()); });
  }
  // The value that the API server stores if the field is absent, as JSON: "3", "\"Allow\"". It is set before webhooks
  // are called and whenever old objects are read. The C++ initial value is independent of it: keep both equal.
  Constraints& default_value(JsonLiteral json) {
    return set([&](Rules& r) { r.default_value = json; });
  }
  // Documentation in the schema without effect on validation: a short name, and an example as JSON. sample_of()
  // (sample.hpp) uses the example.
  Constraints& title(Literal text) {
    return set([&](Rules& r) { r.title = text; });
  }
  Constraints& example(JsonLiteral json) {
    return set([&](Rules& r) { r.example = json; });
  }
  // A CEL rule about this field, whose value is `self` (x-kubernetes-validations). Only the API server evaluates it.
  // `message` is what the user reads if the rule is false. Rules that read oldSelf are evaluated on updates only.
  Constraints& rule(std::string_view expression, std::string_view message) {
    return rule(CelRule{std::string(expression), std::string(message)});
  }
  Constraints& rule(CelRule rule) {
    return set([&](Rules& r) { r.cel.push_back(std::move(rule)); });
  }
  // For RawJson: an integer or a string, such as a port or a quantity. Prefer fields of type IntOrString and Quantity.
  Constraints& int_or_string() {
    return set([](Rules& r) { r.int_or_string = true; });
  }
  // The API server stores members that the schema does not declare, instead of pruning them. A RawJson must then be an
  // object; without this call it may have any value.
  Constraints& preserve_unknown_fields() {
    return set([](Rules& r) { r.preserve_unknown_fields = true; });
  }
  // For RawJson: a whole object of Kubernetes with apiVersion, kind and metadata, which the API server validates. Its
  // other members are stored unchanged.
  Constraints& embedded_resource() {
    return preserve_unknown_fields().set([](Rules& r) { r.embedded_resource = true; });
  }
  // For RawJson: the whole OpenAPI schema as JSON, such as PodSpec's (workload_schema.hpp). It replaces everything
  // except the documentation; kube::validate() does not check it. The text must live as long as the program.
  Constraints& schema(std::string_view json) {
    return set([&](Rules& r) { r.schema = json; });
  }

  // The constraints of the elements of a list or map: later calls of the chain apply to them. There is no way back, so
  // call it last.
  Constraints& items();

  // Without those of the elements.
  [[nodiscard]] const Rules& rules() const { return rules_; }
  // The constraints of the elements; null if items() was not called.
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
