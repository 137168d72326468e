// Holds an object against the fields of its kind, as Go's JSON decoder does when the API server reads it.
//
// What no type has room for is dropped: unknown fields and nulls. Of duplicate fields a Tree has the last.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/fields/schema.hpp"

namespace keelson::sandbox {

inline constexpr std::size_t kMostFieldFindings = 100;  // as sigs.k8s.io/json

struct FieldFindings {
  // The first value of a wrong type: "json: cannot unmarshal string into Go struct field …".
  std::optional<std::string> error;
  // `unknown field "spec.foo"`: of built-in kinds in the order of the object, of others by their names.
  std::vector<std::string> strict;
};

// Of a kind of Kubernetes' own.
[[nodiscard]] FieldFindings check_fields(Tree& object, const Schema& schema);

// Of a custom kind, whose schema says what is kept; only its metadata have types.
[[nodiscard]] FieldFindings check_custom_fields(Tree& object, const Schema& schema);

}  // namespace keelson::sandbox
