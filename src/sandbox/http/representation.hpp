// Content negotiation: the form and encoding of a response, and the accepted encodings of a body.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

struct Representation {
  enum class Form { kObject, kTable, kMetadata, kMetadataList };  // meta.k8s.io/v1
  Form form = Form::kObject;
  bool is_yaml = false;
};

// Parses an Accept header; 406 if no type in it can be served. The server writes neither protobuf nor CBOR: a client
// that prefers them gets JSON if it accepts JSON too.
[[nodiscard]] RejectionOr<Representation> negotiate(std::string_view accept);

inline constexpr const char* kAggregatedDiscovery =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
[[nodiscard]] bool wants_aggregated_discovery(std::string_view accept);

// The body of a write as JSON: 415 for a body that is neither JSON nor YAML nor protobuf of a known kind.
[[nodiscard]] RejectionOr<std::string> json_of_body(std::string_view content_type, const std::string& body,
                                                    const std::string& kind);

}  // namespace keelson::sandbox
