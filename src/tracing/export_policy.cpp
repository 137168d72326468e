#include "src/tracing/export_policy.hpp"

#include <chrono>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/json/value.hpp"

namespace keelson::tracing {

namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto number = base::parse_number<std::int64_t>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

// A date in Retry-After is not supported: the backoff applies.
ExportVerdict judge_export(const Result<net::Response>& reply) {
  using Next = ExportVerdict::Next;
  if (!reply) {
    const auto kind = reply.error().kind;
    return {kind == Error::Kind::kTransport || kind == Error::Kind::kTimeout ? Next::kRetry : Next::kDrop};
  }
  const int status = reply->status;
  if (status / 100 == 2) return {Next::kDone};
  if (status != 429 && status != 502 && status != 503 && status != 504) return {Next::kDrop};
  const auto seconds = whole_number(net::header(reply->headers, "Retry-After"));
  constexpr std::int64_t kDay = 86400;
  if (!seconds || *seconds > kDay) return {Next::kRetry};
  return {Next::kRetry, std::chrono::seconds(*seconds)};
}

std::size_t rejected_spans(std::string_view reply_body) {
  const auto document = json::Document::parse(reply_body);
  if (!document) return 0;
  const auto rejected = document->root().at({"partialSuccess", "rejectedSpans"});
  const auto text = rejected.string();
  const auto number = text ? whole_number(*text) : rejected.integer();
  return number && *number > 0 ? static_cast<std::size_t>(*number) : 0;
}

}  // namespace keelson::tracing
