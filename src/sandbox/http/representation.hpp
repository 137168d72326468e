// Content negotiation: in which form and encoding a client wants an answer, and what it may send.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/call.hpp"

namespace keelson::sandbox {

struct Representation {
  enum class Form { kObject, kTable, kMetadata, kMetadataList };  // meta.k8s.io/v1
  Form form = Form::kObject;
  bool is_yaml = false;
};

// By an Accept header; 406 when nothing in it can be served. This server writes no protobuf and no CBOR: a client that
// prefers them gets the JSON that it accepts as well.
[[nodiscard]] Or<Representation> negotiate(std::string_view accept);

inline constexpr const char* kAggregatedDiscovery =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
[[nodiscard]] bool wants_aggregated_discovery(std::string_view accept);

// The JSON of the body of a write: 415 for what is neither JSON nor YAML nor protobuf of a kind that is known.
[[nodiscard]] Or<std::string> json_of_body(std::string_view content_type, const std::string& body,
                                           const std::string& kind);

}  // namespace keelson::sandbox
