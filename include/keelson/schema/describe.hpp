// Describes a C++ struct once: decoding, encoding, validation and the OpenAPI schema follow from a single function.
//
// The spec and status of a kind are plain structs. Next to each struct is a function describe(), which names the fields
// and their constraints, as kubebuilder's markers do. The schema of the kind's CustomResourceDefinition is generated
// from it (kind.hpp, crd.hpp), so the program and the API server cannot disagree about a field.
//
// Example (test/examples/schema.cpp#describe):
//   struct MemcachedSpec {
//     std::int32_t size = 0;
//     std::optional<std::string> image;
//     std::optional<kube::Quantity> memory;
//   };
//
//   // Declare it in the struct's namespace: argument-dependent lookup finds it.
//   void describe(kube::Description& d, MemcachedSpec& spec) {
//     d.document("MemcachedSpec defines the desired state of Memcached.");
//     d.field("size", spec.size, "Number of Memcached pods.").required().minimum(0).maximum(100);
//     d.field("image", spec.image, "Container image.").min_length(1);
//     d.field("memory", spec.memory, "Memory of each pod, such as 64Mi.");
//   }
//
//   // These follow from describe().
//   keelson::Result<std::vector<kube::FieldError>> check(const std::string& json) {
//     KEELSON_LET(auto document, keelson::json::Document::parse(json));
//     // Error: "spec.size: expected an integer, found a string".
//     KEELSON_LET(auto spec, kube::decode<MemcachedSpec>(document.root(), "spec"));
//     // FieldError: "spec.size: Invalid value: -1: should be greater than or equal to 0".
//     return kube::validate(spec, "spec");
//   }
//   std::string open_api_schema() { return kube::schema_of<MemcachedSpec>(); }
//   std::string as_json(const MemcachedSpec& spec) { return kube::encode(spec); }
//
// Next to read:
// - constraints.hpp: the limits, defaults and CEL rules of a field.
// - kind.hpp: names, columns and versions of a kind; crd.hpp: its CustomResourceDefinition; sample.hpp: a sample.
// - Value types of fields: quantity.hpp, int_or_string.hpp, time.hpp, bytes.hpp, condition.hpp;
//   workload_schema.hpp for kinds that embed a PodSpec or a JobTemplateSpec.
// - decoder.hpp, described_changes.hpp: decoding of untrusted texts, and the differences of two values; for webhooks.
// - literal.hpp, described_type.hpp, struct_table.hpp, box.hpp: how all of this works without templates.
//
// Types of fields: bool, int32_t, int64_t, double, string, Time (async::WallTime), Quantity, IntOrString, RawJson,
// described structs, structs of keelson/api, and optional, vector and map<string, …> of those. Enumerations are strings
// with one_of(). Other types do not compile, and the error names the replacement.
//
// JSON, as Go's encoding/json:
// - Absent members and null keep the struct's initial value; in an optional, list or map, null empties it.
// - Empty optionals, strings, lists and maps are written only if they are required(). Numbers, bools and structs are
//   always written, unless omit_zero(). A field for which 0 or false differs from "not set" needs an optional.
// - Members that are not described are ignored when they are read, and never written. Therefore never send a struct as
//   an update (PUT): typed_object.hpp sends differences.
//
// Ownership: a Description is made once per type, from a default-constructed struct, and lives as long as the program;
// it refers to the string literals that describe() names. describe() must add the same fields for every value.
//
// Threads and cancellation: the functions of this room are ordinary functions that neither wait nor block; they belong
// to the thread of the event loop. For untrusted texts of several megabytes, decoder.hpp decodes in slices.
//
// Errors: data that does not fit is an error value (kMalformed for a wrong type, FieldError for a violated constraint).
// Mistakes in a describe() are exceptions (base::Misuse) with the fix, thrown when the schema is generated, which
// `keelson::run` does before it connects.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/schema/constraints.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/detail/schema/field_error.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/json/value.hpp"

namespace keelson::kube {

// The argument of describe(), which collects the fields and rules of one struct. Names and documentation are stored by
// reference, so only literals compile.
class Description {
 public:
  // One described member.
  struct Field {
    std::string_view name;           // in JSON
    std::string_view documentation;  // for `kubectl explain`; empty for structs of keelson/api
    std::size_t offset;              // of the member in its struct, in bytes
    const Type* type;                // lives as long as the program
    Constraints constraints;
  };

  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  // Calls describe() for `object`, of which only the addresses of members are used.
  template <class T>
  explicit Description(T& object) : object_(reinterpret_cast<const char*>(std::addressof(object))) {
    static_assert(detail::Described<T>,
                  "this struct is not described: declare `void describe(kube::Description& d, T& value)` in the "
                  "namespace of the struct, before it is used");
    if constexpr (detail::Described<T>) describe(*this, object);
  }
  // Builds the description from a constant table, for structs of keelson/api; their optional fields are omit_zero().
  explicit Description(const StructTable& table);

  // Adds a field and returns its constraints for a chain of calls. The reference is valid until the next field is
  // added, so the chain must end with the statement. Throws base::Misuse if the name is described twice.
  template <class Member>
  Constraints& field(FieldName name, Member& member, Literal documentation) {
    constexpr bool kIsNoEnum = !detail::has_enum<Member>();
    constexpr bool kIsFieldType = !kIsNoEnum || detail::is_field<Member>();
    static_assert(
        kIsNoEnum,
        "a described field cannot be an enum: use std::string with .one_of({\"Blue\", \"Green\"}), because the "
        "API has the names and not the numbers");
    static_assert(
        kIsFieldType,
        "a described field is a bool, std::int32_t, std::int64_t, double, std::string, kube::Time, "
        "kube::Quantity, kube::IntOrString, kube::RawJson, a struct with a describe() in its namespace or a "
        "struct of keelson/api, or a std::optional, std::vector or std::map<std::string, T> of those (unsigned "
        "numbers: std::int64_t with .minimum(0); float: double; unordered_map: std::map; a list of bool: a list "
        "of structs)");
    if constexpr (detail::is_field<Member>()) {
      const auto* place = reinterpret_cast<const char*>(std::addressof(member));
      return add({name, documentation, static_cast<std::size_t>(place - object_), &type_of<Member>(), {}});
    } else {
      return add({name, documentation, 0, nullptr, {}});
    }
  }
  // The documentation of the struct for `kubectl explain`. Used where the enclosing field has no documentation.
  void document(Literal text) { documentation_ = text; }
  // Adds a CEL rule (x-kubernetes-validations) in which `self` is the struct. Only the API server evaluates rules:
  // validate() does not. `message` is what the user reads if the rule is false.
  void rule(std::string_view expression, std::string_view message);
  void rule(CelRule rule) { rules_.push_back(std::move(rule)); }
  // Limit how many of these fields may be set, by CEL rules with the texts of controller-gen's markers of the same
  // names. Use optionals: a number, bool or struct counts as set in each object that the program writes.
  void at_most_one_of(std::initializer_list<FieldName> fields);
  void exactly_one_of(std::initializer_list<FieldName> fields);
  void at_least_one_of(std::initializer_list<FieldName> fields);

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] std::string_view documentation() const { return documentation_; }
  [[nodiscard]] const std::vector<CelRule>& rules() const { return rules_; }
  // The fields that at_most_one_of() and its siblings name, for the check that they exist.
  [[nodiscard]] const std::vector<std::string_view>& counted() const { return counted_; }

 private:
  Constraints& add(Field field);
  void add_count(std::initializer_list<FieldName> fields, std::string_view comparison, std::string_view how_many,
                 std::string_view verb);

  const char* object_;
  std::vector<Field> fields_;
  std::string_view documentation_;
  std::vector<CelRule> rules_;
  std::vector<std::string_view> counted_;
};

// The description of T, made by the first call.
template <class T>
const Description& description_of() {
  static const Description description = [] {
    T prototype{};
    return Description(prototype);
  }();
  return description;
}

namespace detail {
// Not templates: they walk the Type, so that a struct costs no code of its own.
[[nodiscard]] Result<void> decode_value(json::View value, const Type& type, void* out, std::string_view path);
void encode_value(json::Writer& writer, const Type& type, const void* value);
[[nodiscard]] std::string encode_text(const Type& type, const void* value);
// Writes a member of the struct `self` into an open object; nothing if encoding leaves it out.
void encode_member(json::Writer& writer, const Description::Field& field, const void* self);
// Whether encoding leaves the field out, as Go's omitempty, or omitzero if the field has it.
[[nodiscard]] bool is_left_out(const Description::Field& field, const void* member);
[[nodiscard]] std::vector<FieldError> validate_value(const Type& type, const void* value, std::string_view path);
// `owner` is the name of the C++ type, for errors.
[[nodiscard]] std::string schema_text(const Type& type, std::string_view owner);
}  // namespace detail

// Reads T from parsed JSON; `path` is the place of the value, for errors. An absent value or null is T{}. The first
// member of a wrong type is kMalformed: "spec.size: expected an integer, found a string". Constraints are not checked:
// call validate().
template <class T>
[[nodiscard]] Result<T> decode(json::View value, std::string_view path = {}) {
  T out{};
  KEELSON_TRY(detail::decode_value(value, type_of<T>(), &out, path));
  return out;
}

// Writes the value as JSON, members in the order of describe().
template <class T>
void encode(json::Writer& writer, const T& value) {
  detail::encode_value(writer, type_of<T>(), &value);
}

// Returns the value as JSON.
template <class T>
[[nodiscard]] std::string encode(const T& value) {
  return detail::encode_text(type_of<T>(), &value);
}

// The errors that the API server would report for the value, at most limits::kFieldErrors (100); empty if it is valid.
// Not checked: CEL rules, formats of strings, and patterns after 64 KiB of matched texts, so that the check stays
// short. `path` is the place of the value, for the errors: "spec".
template <class T>
[[nodiscard]] std::vector<FieldError> validate(const T& value, std::string_view path = {}) {
  return detail::validate_value(type_of<T>(), &value, path);
}

// The OpenAPI v3 schema as JSON, members sorted by name as controller-gen does. Throws base::Misuse for constraints
// that do not fit their field: minimum() of a string, a default that violates the field's own constraints, list_map()
// with an unknown member.
template <class T>
[[nodiscard]] std::string schema_of() {
  return detail::schema_text(type_of<T>(), detail::type_name<T>());
}

}  // namespace keelson::kube
