// The structs of Kubernetes' Go types: the order of their fields, the structs that they embed, the names of their
// types.
//
// The errors of the API server show them. They come from data/messages.txt (scripts/generate-protobuf-messages).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct GoMember {
  std::string name;        // as in JSON
  std::string embedded;    // the embedded structs that contain it: "VolumeSource"; empty: none
  std::string named_type;  // "v1.Protocol", of the value or of its parts; empty: a type without a name, or a struct
  std::string definition;  // of the struct, or of the structs in a list or map; empty: none
  bool is_map = false;
};

struct GoStruct {
  std::vector<GoMember> members;  // in the order of the struct
  base::TextMap<std::string, std::size_t> places;

  [[nodiscard]] const GoMember* find(std::string_view name) const;
};

// Null if there is no struct of this name.
[[nodiscard]] const GoStruct* go_struct(std::string_view definition);

// Puts the members of an object, and of all below it, into the order in which json.Marshal writes the type; without a
// struct they are sorted by name, as those of a map.
void order_as_go(Tree& object, std::string_view definition);

// JSON with the escapes of json.Marshal, of the characters that are special in HTML.
[[nodiscard]] std::string html_safe(std::string json);

// Sorts the members of the value and of all below it by name.
void sort_all_members(Tree& value);

}  // namespace keelson::sandbox
