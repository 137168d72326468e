// The default of a kind's status.

#include <array>
#include <map>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

constexpr std::string_view kObservedGeneration = "observedGeneration";
// Differs from the generation of every object, which begins with 1, so that kstatus reports InProgress.
constexpr std::string_view kNobodyHasLooked = "-1";

// Whether the schema may reject an empty value. The format of a number is only its width.
bool is_restricted(json::View schema) {
  constexpr std::array kKeywords{"enum",
                                 "pattern",
                                 "exclusiveMinimum",
                                 "not",
                                 "allOf",
                                 "anyOf",
                                 "oneOf",
                                 "x-kubernetes-validations",
                                 "x-kubernetes-embedded-resource"};
  for (const char* keyword : kKeywords) {
    if (!schema.find(keyword).is_absent()) return true;
  }
  for (const char* bound : {"minLength", "minItems", "minProperties", "minimum"}) {
    if (schema.find(bound).number().value_or(0) > 0) return true;
  }
  if (schema.find("maximum").number().value_or(0) < 0) return true;
  return schema.find("type").string() == "string" && !schema.find("format").is_absent();
}

std::optional<std::string> empty_value(json::View schema);

// An object with the given members and all required ones, sorted by name.
std::optional<std::string> object_of_required(json::View schema, std::map<std::string, std::string> members) {
  for (const auto required : schema.find("required").items()) {
    const std::string name(required.string().value_or(""));
    if (members.contains(name)) continue;
    auto value = empty_value(schema.at({"properties", name}));
    if (!value) return std::nullopt;
    members.emplace(name, std::move(*value));
  }
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : members) writer.raw_field(name, value);
  writer.end_object();
  return std::move(writer).take();
}

std::optional<std::string> empty_value(json::View schema) {
  if (is_restricted(schema)) return std::nullopt;
  const auto type = schema.find("type").string().value_or("");
  if (type == "string") return R"("")";
  if (type == "integer" || type == "number") return "0";
  if (type == "boolean") return "false";
  if (type == "array") return "[]";
  if (type == "object") return object_of_required(schema, {});
  return std::nullopt;
}

}  // namespace

std::optional<std::string> status_default(const Kind& kind) {
  if (kind.status_schema.empty()) return std::nullopt;
  const auto document = json::Document::parse(kind.status_schema);
  KEELSON_ASSERT(document.has_value());
  const auto schema = document->root();
  const auto observed = schema.at({"properties", kObservedGeneration});
  const bool takes_it = observed.find("type").string() == "integer" && observed.find("minimum").is_absent();
  if (!takes_it || is_restricted(schema)) return std::nullopt;
  return object_of_required(schema, {{std::string(kObservedGeneration), std::string(kNobodyHasLooked)}});
}

}  // namespace keelson::kube
