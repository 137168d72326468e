// The type of a value as far as it is known before: what a host says of its variables.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/cel/value.hpp"

namespace keelson::cel {

struct Type;
using TypePointer = std::shared_ptr<const Type>;

struct Type {
  // Of values: kMap with fields is an object whose fields are known. kError stands for any type (dyn).
  Value::Kind kind = Value::Kind::kError;
  std::string name = {};  // of an object
  bool is_object = false;
  TypePointer key = {};      // of a map
  TypePointer element = {};  // of a list, of the values of a map, of an optional
  std::map<std::string, TypePointer, std::less<>> fields = {};
  std::size_t nodes = 1;  // with the types within it; those of fields do not count

  [[nodiscard]] bool is_dyn() const { return kind == Value::Kind::kError; }
  [[nodiscard]] std::string text() const;  // "list(string)"
};

[[nodiscard]] TypePointer dyn_type();
[[nodiscard]] TypePointer type_of(Value::Kind kind);
// Types of more than some hundred nodes become dyn.
[[nodiscard]] TypePointer list_type(TypePointer element);
[[nodiscard]] TypePointer map_type(TypePointer key, TypePointer element);
[[nodiscard]] TypePointer optional_type(TypePointer element);

}  // namespace keelson::cel
