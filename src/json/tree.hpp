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

  // The limit for what YAML or the copies of a JSON patch may become: about 100,000 values, of which the largest
  // kubeconfigs have a tenth. A manager runs in 128 MiB.
  static constexpr std::size_t kMemoryLimit = std::size_t{24} << 20;

  // The memory of a tree without members and items, and of the name of a member: growing vectors double.
  [[nodiscard]] static std::size_t node_memory(std::size_t scalar_bytes) { return 2 * sizeof(Tree) + scalar_bytes; }
  [[nodiscard]] static std::size_t name_memory(std::size_t bytes) { return 2 * sizeof(std::string) + bytes; }
  // The memory of the whole tree, which is many times its JSON: a number of one digit has a node, too.
  [[nodiscard]] std::size_t memory() const;
  // The levels of nesting; 0 for a scalar.
  [[nodiscard]] std::size_t depth() const;
  [[nodiscard]] bool equals(View value) const;
  // Of members with the same name only the last remains, at the position of the first.
  void drop_duplicates();
};

}  // namespace keelson::json
