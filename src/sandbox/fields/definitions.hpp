// The definitions of Kubernetes' own kinds, from its OpenAPI v3 documents, embedded in the binary.
//
// scripts/generate-built-in-schemas writes them to data/schemas.txt and data/descriptions.txt, the build compresses
// these files, and the first use inflates them. Names are those of the documents: "io.k8s.api.apps.v1.Deployment".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/schema/identity.hpp"

namespace keelson::sandbox {

struct Definition {
  std::string_view name;
  // Its descriptions are empty texts, because they are two thirds of all bytes and few readers need them.
  std::string_view json;

  // The JSON with its descriptions.
  [[nodiscard]] std::string described() const;

  // The names of the definitions that it refers to.
  [[nodiscard]] std::vector<std::string_view> references() const;
};

// All definitions, sorted by name.
[[nodiscard]] const std::vector<Definition>& definitions();
// Null if there is no definition of this name.
[[nodiscard]] const Definition* find_definition(std::string_view name);

// The name of the definition of one of Kubernetes' own kinds, whether or not it exists.
[[nodiscard]] std::string definition_name(const std::string& group, const std::string& version,
                                          const std::string& kind);

// A hash that differs if the data differs.
[[nodiscard]] std::uint32_t definitions_checksum();

// The data as the build compressed it: raw deflate, then the CRC-32 and the size as in gzip.
[[nodiscard]] std::string_view compressed_definitions();
[[nodiscard]] std::string_view compressed_descriptions();

}  // namespace keelson::sandbox
