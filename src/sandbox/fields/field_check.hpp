// Checks an object against the fields of its kind, as Go's JSON decoder does when the API server decodes it.
//
// Unknown fields and nulls are dropped, because no Go type can hold them. Of duplicate fields a Tree has the last.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/fields/schema.hpp"

namespace keelson::sandbox {

inline constexpr std::size_t kMostFieldFindings = 100;  // as sigs.k8s.io/json

struct FieldFindings {
  // The first value of a wrong type: "json: cannot unmarshal string into Go struct field …".
  std::optional<std::string> error;
  // `unknown field "spec.foo"`: for built-in kinds in the order of the object, for metadata sorted by name.
  std::vector<std::string> strict;
};

// For one of Kubernetes' own kinds; `definition` is the name of its schema.
[[nodiscard]] FieldFindings check_fields(Tree& object, const Schema& schema, std::string_view definition);

// For the metadata of a custom object, which has this path.
[[nodiscard]] FieldFindings check_metadata_fields(Tree& metadata, std::string_view path);

}  // namespace keelson::sandbox
