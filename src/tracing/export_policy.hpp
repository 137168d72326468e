// Decides what follows the reply to a batch, as the specification of OTLP/HTTP requires.
#pragma once

#include <cstdint>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/net/http.hpp"

namespace keelson::tracing {

struct ExportVerdict {
  enum class Next : std::uint8_t { kDone, kRetry, kDrop };
  Next next = Next::kDone;
  std::optional<async::Duration> retry_after = {};  // of kRetry: the delay that the collector requests
};
[[nodiscard]] ExportVerdict judge_export(const Result<net::Response>& reply);

// The number of spans of an accepted batch that the collector has rejected nevertheless (partial_success).
[[nodiscard]] std::size_t rejected_spans(std::string_view reply_body);

}  // namespace keelson::tracing
