// The body of an OTLP/HTTP request: ExportTraceServiceRequest in OTLP's JSON form.
//
// It differs from the JSON form of Protobuf: trace and span ids are hexadecimal. 64-bit integers are texts, and enums
// are numbers.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "keelson/detail/tracing/settings.hpp"
#include "keelson/detail/tracing/span.hpp"

namespace keelson::limits {

// Longer texts of a span are cut.
inline constexpr std::size_t kSpanTextBytes = 1024;

}  // namespace keelson::limits

namespace keelson::tracing {

// The first `count` of the spans.
[[nodiscard]] std::string otlp_json(const ResourceAttributes& resource, const std::deque<Span>& spans,
                                    std::size_t count);

}  // namespace keelson::tracing
