// Span: an operation of a trace, as OpenTelemetry defines it, and the identifiers of traces.
//
// All types are values. A Span is complete when it is passed to the Tracer: it has its end, its attributes and its
// status. Names and attributes follow OpenTelemetry's semantic conventions. They must not contain values of objects or
// a server's text, because traces leave the cluster's access control.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"

namespace keelson::tracing {

// What requests and child spans need to know about their parent. The identifiers are random and never zero.
struct SpanContext {
  std::uint64_t trace_high = 0;  // the first 8 of the 16 bytes of the trace id
  std::uint64_t trace_low = 0;
  std::uint64_t span = 0;
  bool is_sampled = false;  // false: no span of this trace is exported
};

// 32 hexadecimal digits, as in logs.
[[nodiscard]] std::string trace_id(const SpanContext& context);
// The W3C header `traceparent`: "00-<trace id>-<span id>-01", with 00 at the end if the trace is not sampled.
[[nodiscard]] std::string traceparent(const SpanContext& context);

// Whether the sampler `traceidratio` selects this trace. It depends only on the trace id, and a larger fraction selects
// all traces of a smaller one, as in the SDKs for Go and Java. `fraction` is between 0 and 1.
[[nodiscard]] bool is_selected(const SpanContext& context, double fraction);

struct Attribute {
  enum class Type : std::uint8_t { kText, kInteger };
  std::string_view key;  // a constant of the program
  std::string value;     // of kInteger: its decimal digits
  Type type = Type::kText;
};

struct Span {
  enum class Kind : std::uint8_t { kInternal = 1, kClient = 3 };  // the numbers of OTLP
  SpanContext context;
  std::uint64_t parent = 0;  // the parent's `span`; 0: the root of its trace
  std::string name;          // of few distinct values: "PATCH deployments"
  Kind kind = Kind::kInternal;
  async::WallTime start;
  async::WallTime end;
  std::vector<Attribute> attributes = {};
  std::vector<std::string> events = {};  // their names; their time is the start of the span
  bool has_failed = false;               // status Error; otherwise the status is not set
  std::string error = {};                // the description of the status
};

}  // namespace keelson::tracing
