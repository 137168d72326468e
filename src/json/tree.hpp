// Tree: a mutable JSON value, for patches and for reading YAML.
//
// Its builders limit it to limits::kJsonDepth, which bounds the recursion of its functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::json {

struct Tree {
  enum class Kind { kScalar, kObject, kArray };

  Kind kind = Kind::kScalar;
  std::string scalar = "null";     // JSON text of a scalar
  std::vector<std::string> names;  // of an object's members, one for each child
  std::vector<Tree> children;      // members or items

  [[nodiscard]] static Tree of_scalar(std::string json);
  [[nodiscard]] static Tree of_kind(Kind kind);
  // The last of duplicate members counts.
  [[nodiscard]] static Tree of(View value);

  [[nodiscard]] Tree* find(std::string_view name);
  void write(Writer& writer) const;
  [[nodiscard]] std::string text() const;

  // The approximate number of bytes of its JSON.
  [[nodiscard]] std::size_t size() const;
  // The levels of nesting; 0 for a scalar.
  [[nodiscard]] std::size_t depth() const;
  [[nodiscard]] bool equals(View value) const;
  // Of members with the same name only the last remains, at the position of the first.
  void drop_duplicates();
};

}  // namespace keelson::json
