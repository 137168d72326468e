// The definitions of Kubernetes' own OpenAPI v3 documents that its kinds consist of: texts from inside the binary.
//
// scripts/generate-built-in-schemas writes them to data/schemas.txt, the build compresses that, and the first use
// inflates it. Names are those of the documents: "io.k8s.api.apps.v1.Deployment".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/resource.hpp"

namespace keelson::sandbox {

struct Definition {
  std::string_view name;
  std::string_view json;
  std::vector<std::string_view> references;  // the names of those that it consists of
};

// All of them, sorted by name.
[[nodiscard]] const std::vector<Definition>& definitions();
// Null when there is none of that name.
[[nodiscard]] const Definition* find_definition(std::string_view name);

// The name of the definition of a kind of Kubernetes' own, whether or not it exists.
[[nodiscard]] std::string definition_name(const std::string& group, const std::string& version,
                                          const std::string& kind);

// Differs when the data does.
[[nodiscard]] std::uint32_t definitions_checksum();

// As the build compressed them: raw deflate, then the CRC-32 and the size as gzip has them.
[[nodiscard]] std::string_view compressed_definitions();

}  // namespace keelson::sandbox
