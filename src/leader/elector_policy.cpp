#include "src/leader/elector_policy.hpp"

#include "keelson/schema/time.hpp"

namespace keelson::leader {

namespace {

// Rounded up: standbys use this number, and must not assume that the lease has expired before its holder does.
std::int64_t whole_seconds(async::Duration duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration).count();
}

}  // namespace

// A deleted lease counts as held until it would have expired: its holder does not know of the deletion, and creates it
// again with the next renewal.
void ElectorPolicy::saw(const std::optional<Record>& record, async::TimePoint now) {
  if (!record || record == observed_) return;
  observed_ = record;
  observed_at_ = now;
}

void ElectorPolicy::wrote(const Record& record, async::TimePoint sent, async::TimePoint now) {
  saw(record, now);
  if (is_ours()) lead_ends_ = sent + timing_.renew_deadline;
}

bool ElectorPolicy::may_take(async::TimePoint now) const {
  auto end = runs_out();
  return !end || now >= *end;
}

std::optional<async::TimePoint> ElectorPolicy::runs_out() const {
  if (!observed_ || observed_->holder.empty() || is_ours()) return std::nullopt;
  return observed_at_ + std::chrono::seconds(observed_->duration_seconds);
}

Record ElectorPolicy::wanted(async::WallTime now) const {
  Record record;
  record.holder = identity_;
  record.duration_seconds = whole_seconds(timing_.lease_duration);
  record.renew_time = kube::format_micro_time(now);
  record.acquire_time = is_ours() ? observed_->acquire_time : record.renew_time;
  if (observed_) record.transitions = observed_->transitions + (is_ours() ? 0 : 1);
  return record;
}

// The next replica may acquire it immediately. client-go rejects a duration of 0.
Record ElectorPolicy::released(async::WallTime now) const {
  Record record;
  record.duration_seconds = 1;
  record.acquire_time = record.renew_time = kube::format_micro_time(now);
  record.transitions = observed_ ? observed_->transitions : 0;
  return record;
}

}  // namespace keelson::leader
