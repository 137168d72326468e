// The limits of room tracing.
#pragma once

#include <cstddef>

namespace keelson::limits {

// The largest values of OTEL_BSP_MAX_QUEUE_SIZE and OTEL_BSP_MAX_EXPORT_BATCH_SIZE. A span takes up to a few KiB, and a
// batch is converted to JSON in a single turn of the loop.
inline constexpr std::size_t kQueuedSpans = 65536;
inline constexpr std::size_t kSpansPerBatch = 1024;

// Longer texts of a span are cut.
inline constexpr std::size_t kSpanTextBytes = 1024;

}  // namespace keelson::limits
