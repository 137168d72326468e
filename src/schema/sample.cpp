#include "keelson/detail/schema/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

// The most items, members or characters, because a sample is for people to read.
constexpr std::int64_t kLongestExample = 100;

// Whether the schema restricts a value in a way from which no example follows.
bool is_unpredictable(json::View schema) {
  constexpr std::array kKeywords{"$ref",
                                 "pattern",
                                 "not",
                                 "allOf",
                                 "anyOf",
                                 "oneOf",
                                 "multipleOf",
                                 "x-kubernetes-validations",
                                 "x-kubernetes-embedded-resource"};
  const auto has = [&](const char* keyword) { return !schema.find(keyword).is_absent(); };
  const bool is_text_with_format = schema.find("type").string() == "string" && has("format");
  return is_text_with_format || std::ranges::any_of(kKeywords, has);
}

std::int64_t limit(json::View schema, const char* keyword, std::int64_t otherwise) {
  return schema.find(keyword).integer().value_or(otherwise);
}

std::string example_text(json::View schema) {
  constexpr std::string_view kText = "example";
  const auto least = static_cast<std::size_t>(std::max<std::int64_t>(limit(schema, "minLength", 0), 0));
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(limit(schema, "maxLength", 1024), 0));
  std::string text(kText.substr(0, most));
  if (text.size() < least) text.append(least - text.size(), 'x');
  return text;
}

// 1 if the limits allow it, or another number; nullopt if no valid number is found.
std::optional<double> example_number(json::View schema) {
  double number = 1;
  const double step = schema.find("type").string() == "integer" ? 1 : 0.5;
  if (const auto least = schema.find("minimum").number()) {
    number = std::max(number, schema.find("exclusiveMinimum").boolean().value_or(false) ? *least + step : *least);
    if (step == 1) number = std::ceil(number);
  }
  if (const auto most = schema.find("maximum").number()) {
    number = std::min(number, schema.find("exclusiveMaximum").boolean().value_or(false) ? *most - step : *most);
    if (step == 1) number = std::floor(number);
  }
  return number < schema.find("minimum").number().value_or(number) ? std::nullopt : std::optional(number);
}

// False: no value follows from the schema. The writer then has an incomplete text: discard it.
bool write_example(json::Writer& writer, json::View schema);

bool write_members(json::Writer& writer, json::View schema) {
  const auto least = limit(schema, "minProperties", 0);
  std::int64_t count = 0;
  writer.begin_object();
  for (const auto required : schema.find("required").items()) {
    const auto name = required.string().value_or("");
    writer.key(name);
    if (!write_example(writer, schema.find("properties").find(name))) return false;
    ++count;
  }
  const auto others = schema.find("additionalProperties");
  if (least > kLongestExample) return false;
  for (; count < least && others.is_object(); ++count) {
    writer.key("key-" + std::to_string(count + 1));
    if (!write_example(writer, others)) return false;
  }
  writer.end_object();
  return count >= least;
}

bool write_items(json::Writer& writer, json::View schema) {
  const auto least = limit(schema, "minItems", 0);
  const auto type = schema.find("x-kubernetes-list-type").string().value_or("atomic");
  // Generated items are equal, which sets and maps reject.
  if ((least > 1 && type != "atomic") || least > kLongestExample) return false;
  writer.begin_array();
  for (std::int64_t count = 0; count < least; ++count) {
    if (!write_example(writer, schema.find("items"))) return false;
  }
  writer.end_array();
  return true;
}

bool write_example(json::Writer& writer, json::View schema) {
  for (const auto given : {schema.find("example"), schema.find("default"), schema.find("enum").item(0)}) {
    if (given.is_absent()) continue;
    writer.raw(given.text());
    return true;
  }
  if (is_unpredictable(schema) || limit(schema, "minLength", 0) > kLongestExample) return false;
  const auto type = schema.find("type").string().value_or("");
  if (type == "object") return write_members(writer, schema);
  if (type == "array") return write_items(writer, schema);
  if (type == "string") {
    writer.string(example_text(schema));
  } else if (type == "boolean") {
    writer.boolean(false);
  } else if (type == "integer" || type == "number") {
    const auto number = example_number(schema);
    if (!number) return false;
    type == "number" ? writer.number(*number) : writer.integer(static_cast<std::int64_t>(*number));
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> sample_of(const Kind& kind) {
  if (!kind.rules.empty()) return std::nullopt;
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", kind.resource.api_version()).field("kind", kind.resource.kind);
  writer.key("metadata").begin_object();
  writer.field("name", base::to_lower(kind.resource.kind) + "-sample").end_object();
  if (!kind.spec_schema.empty()) {
    const auto schema = json::Document::parse(kind.spec_schema);
    if (!schema) return std::nullopt;
    writer.key("spec");
    if (!write_example(writer, schema->root())) return std::nullopt;
  }
  writer.end_object();
  const auto document = json::Document::parse(std::move(writer).take());
  if (!document) return std::nullopt;
  return json::to_yaml(document->root());
}

}  // namespace keelson::kube
