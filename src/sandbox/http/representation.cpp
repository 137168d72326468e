#include "src/sandbox/http/representation.hpp"

#include <algorithm>
#include <optional>

#include "keelson/detail/json/yaml.hpp"
#include "src/sandbox/http/media_type.hpp"
#include "src/sandbox/http/protobuf.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kNotAcceptable =
    "only the following media types are accepted: application/json, application/yaml";
constexpr const char* kUnknownBody =
    "the body of the request was in an unknown format - accepted media types include: application/json, "
    "application/yaml, application/vnd.kubernetes.protobuf";
constexpr const char* kProtobuf = "application/vnd.kubernetes.protobuf";

RejectionOr<std::string> json_of_protobuf_body(const std::string& body, const std::string& kind) {
  auto json = json_of_protobuf(body);
  if (json) return std::move(*json);
  if (json.error().kind == Error::Kind::kInvalid) return rejection(415, "UnsupportedMediaType", json.error().text);
  return bad_request("the object provided is unrecognized (must be of type " + kind + "): " + json.error().text);
}

// nullopt for a form that is not served.
std::optional<Representation::Form> form_of(const MediaType& type) {
  auto name = type.parameter("as");
  if (name.empty()) return Representation::Form::kObject;
  if (type.parameter("g") != "meta.k8s.io" || type.parameter("v") != "v1") return std::nullopt;
  if (name == "Table") return Representation::Form::kTable;
  if (name == "PartialObjectMetadata") return Representation::Form::kMetadata;
  if (name == "PartialObjectMetadataList") return Representation::Form::kMetadataList;
  return std::nullopt;
}

}  // namespace

RejectionOr<Representation> negotiate(std::string_view accept) {
  auto types = parse_media_types(accept);
  if (types.empty()) return Representation{};
  for (const auto& type : types) {
    auto form = form_of(type);
    if (!form || type.quality <= 0) continue;
    if (type.includes("application/json")) return Representation{*form, false};
    if (type.includes("application/yaml")) return Representation{*form, true};
  }
  return rejection(406, "NotAcceptable", kNotAcceptable);
}

bool wants_aggregated_discovery(std::string_view accept) {
  for (const auto& type : parse_media_types(accept)) {
    if (!type.includes("application/json") || type.quality <= 0) continue;
    if (type.parameter("as").empty()) return false;
    const bool is_discovery =
        type.parameter("g") == "apidiscovery.k8s.io" && type.parameter("as") == "APIGroupDiscoveryList";
    if (is_discovery && type.parameter("v") == "v2") return true;
  }
  return false;
}

RejectionOr<std::string> json_of_body(std::string_view content_type, const std::string& body, const std::string& kind) {
  auto types = parse_media_types(content_type);
  if (types.empty() || types[0].name == "application/json") return body;
  if (types[0].name == kProtobuf) return json_of_protobuf_body(body, kind);
  if (types[0].name != "application/yaml") return rejection(415, "UnsupportedMediaType", kUnknownBody);
  auto json = json::yaml_to_json(body);
  if (json) return std::move(*json);
  return bad_request("the object provided is unrecognized (must be of type " + kind + "): " + json.error().text);
}

}  // namespace keelson::sandbox
