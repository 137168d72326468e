// /openapi/v2: a single document with all kinds, for kubectl before 1.27 and other clients of that time. It has the
// definitions and, for each kind, the path of its patch, from which clients learn whether `--dry-run=server` is
// supported.
#pragma once

#include <string>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

inline constexpr const char* kOpenapiV2Protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

[[nodiscard]] std::string openapi_v2_json(const Kinds& kinds);
// gnostic's openapi.v2.Document.
[[nodiscard]] std::string openapi_v2_protobuf(const Kinds& kinds);

}  // namespace keelson::sandbox
