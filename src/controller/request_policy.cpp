#include "src/controller/request_policy.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/controller/pause.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::controller {

namespace {

// Timers may fire a little early by the wall clock.
constexpr std::chrono::milliseconds kPad(100);
// An evaluation of the annotation costs no request.
constexpr std::chrono::minutes kLongestSleep(1);
// Bytes of a mistaken value in the message; an annotation may be 256 KiB.
constexpr std::size_t kQuotedBytes = 64;

std::string quoted(const std::string& value) {
  if (value.size() <= kQuotedBytes) return base::quote_go(value);
  return base::quote_go(base::cut_utf8(value, kQuotedBytes)) + "…";
}

// The nearest time that 64 bits of nanoseconds can represent: "9999-12-31T23:59:59Z" is in the future, and
// "0001-01-01T00:00:00Z" is over.
async::WallTime clamped(const base::Rfc3339Time& time) {
  using namespace std::chrono;
  constexpr sys_seconds kFirst = sys_days(year(1678) / January / 1);
  constexpr sys_seconds kLast = sys_days(year(2262) / January / 1);
  if (time.second < kFirst) return kFirst;
  if (time.second >= kLast) return kLast;
  return async::WallTime(time.second) + time.fraction;
}

bool is_update(const cache::Event& event) {
  return event.before && event.after && !event.before->same_block(*event.after);
}

}  // namespace

std::optional<Pause> pause_of(const kube::Object& object, const kube::OperatorName& name, async::WallTime now) {
  const auto annotation = name.annotation(kPausedKey);
  const auto value = object.annotation(annotation);
  if (!value || value->empty() || *value == "false") return std::nullopt;
  if (*value == "true") {
    return Pause{std::nullopt, "The annotation " + annotation + " is true. Remove it to resume."};
  }
  const auto until = base::parse_rfc3339(*value);
  if (!until) {
    return Pause{std::nullopt, "The annotation " + annotation + " is " + quoted(*value) +
                                   ", which is neither true, false nor a time such as 2026-01-02T15:04:05Z. Correct "
                                   "it, or remove it to resume."};
  }
  if (clamped(*until) <= now) return std::nullopt;
  return Pause{clamped(*until), "The annotation " + annotation + " pauses until " +
                                    base::format_rfc3339(until->second) + ". Remove it to resume earlier."};
}

RequestNames::RequestNames(const kube::OperatorName& name)
    : paused(name.annotation(kPausedKey)), reconcile_at(name.annotation(kReconcileAtKey)) {}

json::Projection RequestNames::projection() const {
  return json::Projection::of({{"metadata", "annotations", paused}, {"metadata", "annotations", reconcile_at}});
}

bool has_changed(const cache::Event& event, std::string_view annotation) {
  return is_update(event) && event.before->annotation(annotation) != event.after->annotation(annotation);
}

bool concerns_pause(const cache::Event& event, const RequestNames& names) {
  const bool is_added = event.type == cache::Event::Type::kAdded;
  if (is_added) return !event.after->annotation(names.paused).value_or("").empty();
  return has_changed(event, names.paused);
}

bool requests_reconcile(const cache::Event& event, const RequestNames& names) {
  return has_changed(event, names.reconcile_at) && !event.after->annotation(names.reconcile_at).value_or("").empty();
}

bool is_new_generation(const cache::Event& event) {
  return is_update(event) && event.before->generation() != event.after->generation();
}

std::optional<async::Duration> time_until_requested(const kube::Object& object, const RequestNames& names,
                                                    async::WallTime now) {
  const auto value = object.annotation(names.reconcile_at);
  if (!value) return std::nullopt;
  const auto time = base::parse_rfc3339(*value);
  if (!time || clamped(*time) <= now) return std::nullopt;
  return clamped(*time) - now + kPad;
}

std::optional<async::Duration> delay_of(std::optional<async::WallTime> until, async::WallTime now) {
  if (!until) return std::nullopt;
  return std::min<async::Duration>(std::max<async::Duration>(*until - now, {}) + kPad, kLongestSleep);
}

Result<std::optional<std::string>> paused_patch(const kube::Object& object, std::string_view reason,
                                                std::string_view message, async::WallTime now) {
  const auto* projection = object.projection();
  if (projection != nullptr && !projection->covers({"status", "conditions"})) return std::optional<std::string>();
  KEELSON_LET(const auto fields, kube::Fields::of(object));
  KEELSON_LET(const auto stored, fields.at({"status", "conditions"}));
  const std::string_view status = reason == kResumedReason ? "False" : "True";
  auto since = kube::format_time(now);
  json::Writer body;
  body.begin_object().key("metadata").begin_object().field("uid", object.uid());
  body.field("resourceVersion", std::to_string(object.resource_version())).end_object();
  body.key("status").begin_object().key("conditions").begin_array();
  for (const json::View condition : stored.items()) {
    if (condition.find("type").string() != kPausedCondition) {
      body.raw(condition.text());
      continue;
    }
    const bool has_status = condition.find("status").string() == status;
    if (has_status && condition.find("reason").string() == reason && condition.find("message").string() == message) {
      return std::optional<std::string>();
    }
    const auto transition = condition.find("lastTransitionTime").string();
    if (has_status && transition) since = *transition;
  }
  body.begin_object().field("type", kPausedCondition).field("status", status).field("reason", reason);
  body.field("message", message).field("lastTransitionTime", since).end_object();
  body.end_array().end_object().end_object();
  return std::optional(std::move(body).take());
}

}  // namespace keelson::controller
