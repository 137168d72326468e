// How Go decodes and encodes the types of Kubernetes' own kinds: which fields are omitted, which are always written.
//
// scripts/generate-go-forms writes data/forms.txt from the JSON tags of the Go types; data/defaults.txt has the
// defaults that are constants. Both are part of the definitions that the build compresses (definitions.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct GoForm;

struct GoField {
  enum class Type : std::uint8_t {
    kString,
    kNumber,
    kBool,
    kBytes,
    kBytesMap,
    kQuantity,
    kResources,  // a map of resources to quantities, in thousandths
    kIntOrString,
    kTime,
    kMicroTime,
    kRaw,       // other JSON
    kPlain,     // a list or a map of scalars
    kDisabled,  // always cleared
    kStruct,    // with a form
    kList,      // of structs, or of times
    kMap,
  };
  Type type = Type::kString;
  Type item = Type::kStruct;  // of a list or map
  bool is_pointer = false;    // omitted only if it is absent
  bool is_always = false;     // never omitted
  std::string definition;     // of a struct, or of the structs in a list or map

  // The form of `definition`; null if there is none.
  [[nodiscard]] const GoForm* form() const;

 private:
  mutable const GoForm* form_ = nullptr;  // after the first lookup
};

struct GoForm {
  // The fields that are not omitted scalars, or omitted lists or maps of scalars, in the order of the Go type.
  std::vector<std::pair<std::string, GoField>> fields;
  base::TextMap<std::string, std::size_t> places;  // in `fields`
  Tree defaults;                                   // null: none
  void (*complete)(Tree& object) = nullptr;        // sets the defaults that depend on other fields; null: none

  [[nodiscard]] const GoField* find(std::string_view name) const;
};

// Null if the definition is not a struct of Go.
[[nodiscard]] const GoForm* go_form(std::string_view definition);

}  // namespace keelson::sandbox
