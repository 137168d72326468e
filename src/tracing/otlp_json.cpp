#include "src/tracing/otlp_json.hpp"

#include <chrono>
#include <string_view>

#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::tracing {

namespace {

constexpr int kStatusError = 2;

std::string hex_id(std::uint64_t id) {
  std::string text;
  base::append_hex(text, id, 16);
  return text;
}

std::string unix_nanoseconds(async::WallTime time) { return std::to_string(time.time_since_epoch().count()); }

std::string_view cut(std::string_view text) { return base::cut_utf8(text, limits::kSpanTextBytes); }

void write_attribute(json::Writer& writer, std::string_view key, const char* type, std::string_view value) {
  writer.begin_object().field("key", key).key("value").begin_object().field(type, cut(value)).end_object().end_object();
}

void write_span(json::Writer& writer, const Span& span) {
  writer.begin_object().field("traceId", trace_id(span.context)).field("spanId", hex_id(span.context.span));
  if (span.parent != 0) writer.field("parentSpanId", hex_id(span.parent));
  writer.field("name", cut(span.name)).field("kind", static_cast<int>(span.kind));
  const auto start = unix_nanoseconds(span.start);
  writer.field("startTimeUnixNano", start).field("endTimeUnixNano", unix_nanoseconds(span.end));
  writer.key("attributes").begin_array();
  for (const auto& [key, value, type] : span.attributes) {
    write_attribute(writer, key, type == Attribute::Type::kText ? "stringValue" : "intValue", value);
  }
  writer.end_array().key("events").begin_array();
  for (const auto& event : span.events) {
    writer.begin_object().field("timeUnixNano", start).field("name", cut(event)).end_object();
  }
  writer.end_array().key("status").begin_object();
  if (span.has_failed) writer.field("code", kStatusError).field("message", cut(span.error));
  writer.end_object().end_object();
}

}  // namespace

std::string otlp_json(const ResourceAttributes& resource, const std::deque<Span>& spans, std::size_t count) {
  json::Writer writer;
  writer.begin_object().key("resourceSpans").begin_array().begin_object();
  writer.key("resource").begin_object().key("attributes").begin_array();
  for (const auto& [key, value] : resource) write_attribute(writer, key, "stringValue", value);
  writer.end_array().end_object();
  writer.key("scopeSpans").begin_array().begin_object();
  writer.key("scope").begin_object().field("name", "keelson").end_object();
  writer.key("spans").begin_array();
  for (std::size_t place = 0; place < count; ++place) write_span(writer, spans[place]);
  writer.end_array().end_object().end_array().end_object().end_array().end_object();
  return std::move(writer).take();
}

}  // namespace keelson::tracing
