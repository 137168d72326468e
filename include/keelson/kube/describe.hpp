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
// Fields are bool, int32_t, int64_t, double, string, RawJson, async::WallTime, described structs, and optional, vector
// and map<string, …> of those. What may be absent is an optional; an optional, string, list or map that is empty is
// written only when it is required, numbers, bools and structs always. Members that are not described are ignored on
// the way in and never written.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
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
    describe(*this, object);
  }
  explicit Description(const StructTable& table);

  // The chain must end with the statement.
  template <class Member>
  Constraints& field(Literal name, Member& member, Literal documentation) {
    const auto* place = reinterpret_cast<const char*>(std::addressof(member));
    return add({name, documentation, static_cast<std::size_t>(place - object_), &type_of<Member>(), {}});
  }
  // What the struct is, for `kubectl explain`.
  void document(Literal text) { documentation_ = text; }
  // A CEL rule about the struct (`self` is it).
  void rule(std::string_view expression, std::string_view message);

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] std::string_view documentation() const { return documentation_; }
  [[nodiscard]] const std::vector<CelRule>& rules() const { return rules_; }

 private:
  Constraints& add(Field field);

  const char* object_;
  std::vector<Field> fields_;
  std::string_view documentation_;
  std::vector<CelRule> rules_;
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
[[nodiscard]] std::string schema_text(const Type& type);
}  // namespace detail

// Absent or null gives T as it is made; a wrong type is kMalformed: "spec.size: expected an integer".
template <class T>
[[nodiscard]] Result<T> decode(json::View value, std::string_view path = {}) {
  T out{};
  auto done = detail::decode_value(value, type_of<T>(), &out, path);
  if (!done) return std::move(done).error();
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

// Everything the schema refuses but CEL rules, at most limits::kFieldErrors; empty: all is well.
template <class T>
[[nodiscard]] std::vector<FieldError> validate(const T& value, std::string_view path = {}) {
  return detail::validate_value(type_of<T>(), &value, path);
}

// OpenAPI v3 as JSON, members sorted by name.
template <class T>
[[nodiscard]] std::string schema_of() {
  return detail::schema_text(type_of<T>());
}

}  // namespace keelson::kube
