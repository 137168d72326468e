// The syntax tree of an expression.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

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
    // Macros: parts[0] is the range, variable the name, parts[1] the condition or the result, parts[2] of map with one.
    kAll,
    kExists,
    kExistsOne,
    kFilter,
    kTransform,
    kOptionalSelect,  // parts[0].?name
    kOptionalIndex,   // parts[0][?parts[1]]
    kOptionalMap,     // parts[0].optMap(variable, parts[1])
  };
  Kind kind = Kind::kLiteral;
  bool has_target = false;
  std::size_t offset = 0;  // in the text, for messages
  std::size_t depth = 1;
  Value value = {};
  std::string name = {};
  std::string variable = {};
  std::string second_variable = {};  // of all(i, v, …)
  std::vector<Expression> parts = {};
};

}  // namespace keelson::cel
