#include "src/sandbox/http/representation.hpp"

#include <algorithm>
#include <optional>

#include "keelson/detail/json/yaml.hpp"
#include "src/sandbox/http/media_type.hpp"
#include "src/sandbox/http/protobuf.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kNotAcceptable =
    "only the following media types are accepted: application/json, application/yaml, "
    "application/vnd.kubernetes.protobuf";
constexpr const char* kNotAcceptableEvents =
    "only the following media types are accepted: application/json;stream=watch, "
    "application/vnd.kubernetes.protobuf;stream=watch";
constexpr const char* kNotAvailable =
    "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, "
    "application/vnd.kubernetes.protobuf";
constexpr const char* kWatchTypes = ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
constexpr const char* kUnknownBody =
    "the body of the request was in an unknown format - accepted media types include: application/json, "
    "application/yaml, application/vnd.kubernetes.protobuf";
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
  if (type.parameter("g") != "meta.k8s.io") return std::nullopt;
  if (type.parameter("v") != "v1" && type.parameter("v") != "v1beta1") return std::nullopt;
  if (name == "Table") return Representation::Form::kTable;
  if (name == "PartialObjectMetadata") return Representation::Form::kMetadata;
  if (name == "PartialObjectMetadataList") return Representation::Form::kMetadataList;
  return std::nullopt;
}

// nullopt for a type that is never served.
std::optional<Representation::Format> format_of(const MediaType& type) {
  using Format = Representation::Format;
  if (type.quality <= 0) return std::nullopt;
  if (type.includes("application/json")) return Format::kJson;
  if (type.includes("application/yaml")) return Format::kYaml;
  return type.includes(kProtobuf) ? std::optional(Format::kProtobuf) : std::nullopt;
}

bool is_offered(Representation::Form form, Representation::Format format, const Offer& offer) {
  using Form = Representation::Form;
  if (form == Form::kTable) return offer.has_table && format != Representation::Format::kProtobuf;
  return form != Form::kObject || offer.has_protobuf || format != Representation::Format::kProtobuf;
}

// A type that no representation has is rejected earlier, and with another text, for Kubernetes' own kinds.
Rejection not_acceptable(bool is_known_type, const Offer& offer) {
  if (is_known_type || !offer.has_protobuf) return rejection(406, "NotAcceptable", kNotAcceptable);
  auto rejected = rejection(406, "NotAcceptable", std::string(kNotAvailable) + (offer.is_watch ? kWatchTypes : ""));
  rejected.status["details"] = Tree::object();
  return rejected;
}

}  // namespace

RejectionOr<Representation> negotiate(std::string_view accept, const Offer& offer) {
  auto types = parse_media_types(accept);
  if (types.empty()) return Representation{};
  bool is_known_type = false;
  for (const auto& type : types) {
    const auto format = format_of(type);
    is_known_type = is_known_type || format;
    const auto form = form_of(type);
    if (!form || !format || !is_offered(*form, *format, offer)) continue;
    if (!offer.is_watch || *format != Representation::Format::kYaml) {
      const bool is_beta = type.parameter("v") == "v1beta1";
      return Representation{*form, *format, is_beta ? "meta.k8s.io/v1beta1" : "meta.k8s.io/v1"};
    }
    return rejection(406, "NotAcceptable", kNotAcceptableEvents);
  }
  return not_acceptable(is_known_type, offer);
}

Representation::Format preferred_format(std::string_view accept) {
  for (const auto& type : parse_media_types(accept)) {
    const auto format = format_of(type);
    if (format && type.parameter("as").empty()) return *format;
  }
  return Representation::Format::kJson;
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

RejectionOr<std::string> json_of_body(std::string_view content_type, const std::string& body, const std::string& kind,
                                      RepeatedKeys* repeated) {
  auto types = parse_media_types(content_type);
  if (types.empty() || types[0].name == "application/json") return body;
  if (types[0].name == kProtobuf) return json_of_protobuf_body(body, kind);
  if (types[0].name != "application/yaml") return rejection(415, "UnsupportedMediaType", kUnknownBody);
  RepeatedKeys ignored;
  if (repeated == nullptr) repeated = &ignored;
  auto json = json::yaml_to_json(body, repeated->emplace());
  if (json) return std::move(*json);
  return bad_request("the object provided is unrecognized (must be of type " + kind + "): " + json.error().text);
}

}  // namespace keelson::sandbox
