#include "keelson/detail/tracing/span.hpp"

#include "keelson/detail/base/hex.hpp"

namespace keelson::tracing {

std::string trace_id(const SpanContext& context) {
  std::string text;
  base::append_hex(text, context.trace_high, 16);
  base::append_hex(text, context.trace_low, 16);
  return text;
}

std::string traceparent(const SpanContext& context) {
  auto text = "00-" + trace_id(context) + "-";
  base::append_hex(text, context.span, 16);
  return text + (context.is_sampled ? "-01" : "-00");
}

// The SDKs for Go and Java compare the lowest 63 bits of the same 8 bytes, so several services select the same traces.
bool is_selected(const SpanContext& context, double fraction) {
  if (fraction >= 1) return true;
  constexpr double kRange = 9223372036854775808.0;  // 2^63
  return (context.trace_low >> 1U) < static_cast<std::uint64_t>(fraction * kRange);
}

}  // namespace keelson::tracing
