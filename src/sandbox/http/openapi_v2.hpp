// /openapi/v2: one document of all kinds, for kubectl before 1.27 and other clients of its time. It has the
// definitions, and of each kind the path of its patch, which says whether `--dry-run=server` works.
#pragma once

#include <string>

#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

inline constexpr const char* kOpenapiV2Protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

[[nodiscard]] std::string openapi_v2_json(const Kinds& kinds);
// gnostic's openapi.v2.Document.
[[nodiscard]] std::string openapi_v2_protobuf(const Kinds& kinds);

}  // namespace keelson::sandbox
