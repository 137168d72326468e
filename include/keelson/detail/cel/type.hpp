// The static type of a value, as far as it is known before the evaluation. A host declares the types of its variables.
//
// Types are immutable and shared. A TypePointer is not null unless a comment says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

struct Type;
using TypePointer = std::shared_ptr<const Type>;

struct Type {
  // The kind of the values. kError means dyn: any type.
  Value::Kind kind = Value::Kind::kError;
  std::string name = {};     // of an object, for messages
  bool is_object = false;    // a map whose keys are the names in `fields`: selecting another one is an error
  TypePointer key = {};      // the keys of a map; null: dyn
  TypePointer element = {};  // the items of a list, the values of a map, the value of an optional; null: dyn
  std::map<std::string, TypePointer, std::less<>> fields = {};
  // What a host knows about the size of its values, for Program::most_cost(): the most characters of a text, or items
  // of a list or a map, and the bytes of the shortest JSON.
  std::uint64_t most_elements = 0;
  std::uint64_t least_bytes = 0;
  std::size_t nodes = 1;  // the size of the type including those within it, but not those of `fields`

  [[nodiscard]] bool is_dyn() const { return kind == Value::Kind::kError; }
  // As cel-go writes it in errors: "list(string)", "map(string, dyn)".
  [[nodiscard]] std::string text() const;
};

// Any type: operations on it are checked only during evaluation.
[[nodiscard]] TypePointer dyn_type();
// A type without parameters: kInt, kString, kTimestamp, ….
[[nodiscard]] TypePointer type_of(Value::Kind kind);
// Types with parameters. A type of more than 200 nodes becomes dyn, because an expression could otherwise double its
// type with each step.
[[nodiscard]] TypePointer list_type(TypePointer element);
[[nodiscard]] TypePointer map_type(TypePointer key, TypePointer element);
[[nodiscard]] TypePointer optional_type(TypePointer element);

}  // namespace keelson::cel
