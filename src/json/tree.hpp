// A JSON value that can be changed: what patches are applied to and YAML is read into.
//
// Whoever builds one holds it to limits::kJsonDepth, so the recursion below ends.
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
  // Of duplicate members the last is taken.
  [[nodiscard]] static Tree of(View value);

  [[nodiscard]] Tree* find(std::string_view name);
  void write(Writer& writer) const;
  [[nodiscard]] std::string text() const;

  // About the bytes of its JSON.
  [[nodiscard]] std::size_t size() const;
  // Brackets within brackets; 0 for a scalar.
  [[nodiscard]] std::size_t depth() const;
  [[nodiscard]] bool equals(View value) const;
  // Keeps the last of members with one name, where the first stood.
  void drop_duplicates();
};

}  // namespace keelson::json
