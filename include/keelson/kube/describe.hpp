// Plain structs described once: from one function come decoding, encoding, validation and the OpenAPI schema.
//
//   struct MemcachedSpec {
//     std::int32_t size = 0;
//     std::optional<std::string> image;
//   };
//   void describe(kube::Description& d, MemcachedSpec& spec) {   // beside the struct, found by its argument
//     d.document("MemcachedSpec defines the desired state of Memcached.");
//     d.field("size", spec.size, "Number of Memcached pods.").required().minimum(0);
//     d.field("image", spec.image, "Container image.").min_length(1);
//   }
//
// Fields are bool, int32_t, int64_t, double, string, Time (async::WallTime), Quantity, IntOrString, RawJson, described
// structs, structs of keelson/api, and optional, vector and map<string, …> of those. Enumerations are strings with
// one_of. What may be absent is an optional; an optional, string, list or map that is empty is
// written only when it is required, numbers, bools and structs always. Members that are not described are ignored on
// the way in and never written.
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
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/kube/constraints.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/literal.hpp"

namespace keelson::kube {

// What `describe` fills. Names and documentation are kept by reference, so only literals compile.
class Description {
 public:
  struct Field {
    std::string_view name;
    std::string_view documentation;
    std::size_t offset;  // of the member in its struct
    const Type* type;
    Constraints constraints;
  };

  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  // `object` is only measured.
  template <class T>
  explicit Description(T& object) : object_(reinterpret_cast<const char*>(std::addressof(object))) {
    static_assert(detail::Described<T>,
                  "this struct is not described: declare `void describe(kube::Description& d, T& value)` in the "
                  "namespace of the struct, before it is used");
    if constexpr (detail::Described<T>) describe(*this, object);
  }
  explicit Description(const StructTable& table);

  // The chain must end with the statement.
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
  // What the struct is, for `kubectl explain`.
  void document(Literal text) { documentation_ = text; }
  // A CEL rule about the struct (`self` is it).
  void rule(std::string_view expression, std::string_view message);
  void rule(CelRule rule) { rules_.push_back(std::move(rule)); }
  // How many of these fields may be set; controller-gen's markers of the same names, as CEL.
  void at_most_one_of(std::initializer_list<FieldName> fields);
  void exactly_one_of(std::initializer_list<FieldName> fields);
  void at_least_one_of(std::initializer_list<FieldName> fields);

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] std::string_view documentation() const { return documentation_; }
  [[nodiscard]] const std::vector<CelRule>& rules() const { return rules_; }
  // The fields that at_most_one_of() and its siblings name.
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

// A refusal as the API server words it; `reason` is the cause's (FieldValueInvalid …).
struct FieldError {
  std::string path;    // "spec.conditions[1].type"
  std::string reason;  // "FieldValueRequired"
  std::string detail;  // "Invalid value: -1: should be greater than or equal to 0"

  // "spec.size: Invalid value: -1: should be greater than or equal to 0"
  [[nodiscard]] std::string message() const { return path + ": " + detail; }
  bool operator==(const FieldError&) const = default;
};

template <class T>
const Description& description_of() {
  static const Description description = [] {
    T prototype{};
    return Description(prototype);
  }();
  return description;
}

namespace detail {
[[nodiscard]] Result<void> decode_value(json::View value, const Type& type, void* out, std::string_view path);
void encode_value(json::Writer& writer, const Type& type, const void* value);
// A member of the struct `self`, into an object that is open; nothing if it is left out.
void encode_member(json::Writer& writer, const Description::Field& field, const void* self);
// Encoding leaves the field out, as Go's omitempty does, or omitzero where the field has that.
[[nodiscard]] bool is_left_out(const Description::Field& field, const void* member);
[[nodiscard]] std::vector<FieldError> validate_value(const Type& type, const void* value, std::string_view path);
// `owner` is the C++ type, for errors.
[[nodiscard]] std::string schema_text(const Type& type, std::string_view owner);
}  // namespace detail

// Absent or null gives T as it is made; a wrong type is kMalformed: "spec.size: expected an integer".
template <class T>
[[nodiscard]] Result<T> decode(json::View value, std::string_view path = {}) {
  T out{};
  KEELSON_TRY(detail::decode_value(value, type_of<T>(), &out, path));
  return out;
}

template <class T>
void encode(json::Writer& writer, const T& value) {
  detail::encode_value(writer, type_of<T>(), &value);
}

template <class T>
[[nodiscard]] std::string encode(const T& value) {
  json::Writer writer;
  encode(writer, value);
  return std::move(writer).take();
}

// What the schema rejects, except for CEL rules and formats of strings, at most limits::kFieldErrors; empty: valid.
template <class T>
[[nodiscard]] std::vector<FieldError> validate(const T& value, std::string_view path = {}) {
  return detail::validate_value(type_of<T>(), &value, path);
}

// OpenAPI v3 as JSON, members sorted by name. Throws base::Misuse for constraints that do not fit their field (minimum
// of a string, a default that the field itself rejects, list_map by an unknown member).
template <class T>
[[nodiscard]] std::string schema_of() {
  return detail::schema_text(type_of<T>(), detail::type_name<T>());
}

}  // namespace keelson::kube
