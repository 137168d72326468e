// The syntax tree of an expression.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "keelson/detail/cel/type.hpp"
#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

struct Signature;

struct Expression {
  enum class Kind : std::uint8_t {
    kLiteral,
    kName,
    kSelect,  // parts[0].name
    kHas,     // has(parts[0].name)
    kCall,    // name(parts...), with a target parts[0].name(...)
    kList,
    kMap,  // keys and values alternate
    kAnd,
    kOr,
    kChoice,  // parts[0] ? parts[1] : parts[2]
    // Macros: parts[0] is the range, variable the name, parts[1] the condition or the result, parts[2] the result if
    // parts[1] is a condition.
    kAll,
    kExists,
    kExistsOne,
    kFilter,
    kTransform,       // map and transformList
    kTransformMap,    // the result is the new value of the key
    kTransformEntry,  // the result is a map, whose entries are added
    kSortBy,          // parts[1] is the key of an item
    kOptionalSelect,  // parts[0].?name
    kOptionalMap,     // parts[0].optMap(variable, parts[1])
    kOptionalFlatMap,
  };
  Kind kind = Kind::kLiteral;
  bool has_target = false;
  bool is_optional = false;        // an item of a list or a value of a map that is written with `?`
  bool has_only_literals = false;  // of a list or a map; set by the checker
  std::size_t offset = 0;          // in the text, for messages
  std::size_t depth = 1;
  Value value = {};
  std::string name = {};
  std::string variable = {};
  std::string second_variable = {};  // of all(i, v, …)
  std::vector<Expression> parts = {};
  TypePointer type = {};                         // set by the checker
  std::vector<const Signature*> overloads = {};  // of a call: those that match the static types
};

}  // namespace keelson::cel
