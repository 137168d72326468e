// Content negotiation: the form and encoding of a response, and the accepted encodings of a body.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

struct Representation {
  enum class Form { kObject, kTable, kMetadata, kMetadataList };
  enum class Format { kJson, kYaml, kProtobuf };
  Form form = Form::kObject;
  Format format = Format::kJson;
  // The API version of forms other than kObject, which have the same fields in both.
  const char* meta_version = "meta.k8s.io/v1";
};

inline constexpr const char* kProtobuf = "application/vnd.kubernetes.protobuf";

// The representations that a request offers.
struct Offer {
  bool is_watch = false;      // YAML has no form for events
  bool has_protobuf = false;  // objects of custom kinds have none, but their metadata has
  bool has_table = true;
};

// Parses an Accept header; 406 if no type in it can be served. The server does not write CBOR: a client that prefers it
// gets JSON if it accepts JSON too.
[[nodiscard]] RejectionOr<Representation> negotiate(std::string_view accept, const Offer& offer);

// The format of responses that are not objects of a kind: a Status, and discovery. JSON if no type can be served.
[[nodiscard]] Representation::Format preferred_format(std::string_view accept);

inline constexpr const char* kAggregatedDiscovery =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
[[nodiscard]] bool wants_aggregated_discovery(std::string_view accept);

// The body of a write as JSON: 415 for a body that is neither JSON nor YAML nor protobuf of a known kind. `repeated`,
// if not null, receives the keys of a YAML body that occur again in their map.
[[nodiscard]] RejectionOr<std::string> json_of_body(std::string_view content_type, const std::string& body,
                                                    const std::string& kind, RepeatedKeys* repeated = nullptr);

}  // namespace keelson::sandbox
