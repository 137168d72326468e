// The example in the header of room tracing: an operation as a trace with a single span.
#include <utility>

#include "keelson/detail/tracing/tracer.hpp"

namespace keelson::examples {

// [span]
// Records an operation as a trace with a single span.
void record(tracing::Tracer& tracer, async::WallTime begun, async::WallTime ended) {
  tracing::Span span;
  span.context = tracer.new_trace();
  if (!span.context.is_sampled) return;
  span.name = "rotate certificate";
  span.start = begun;
  span.end = ended;
  tracer.add(std::move(span));
}
// [end]

}  // namespace keelson::examples
