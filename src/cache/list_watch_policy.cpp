#include "src/cache/list_watch_policy.hpp"

#include <chrono>
#include <utility>

#include "keelson/kube/client.hpp"

namespace keelson::cache {

using namespace std::chrono_literals;

namespace {

// client-go tools/cache/reflector.go: 800 ms doubling to 30 s, jitter 1.0, reset after two quiet minutes.
constexpr base::Backoff::Policy kBackoff{.initial = 800ms, .factor = 2.0, .cap = 30s, .jitter = 1.0};
constexpr auto kBackoffReset = 2min;
// minWatchTimeout 5 min, up to twice that.
constexpr int kWatchSecondsMin = 300;
constexpr int kWatchSecondsMax = 599;
// A watch that ends within a second after events is normal, but a series of them must not become a busy loop: with a
// server that closes after each event there were 5,500 requests a second.
constexpr auto kPauseOfSeries = 1s;
// Streaming is switched off after this many stalled lists in a row: each costs up to two minutes, and the network may
// cause one.
constexpr int kStalledLists = 3;
// tools/pager: pages of 500.
constexpr std::int64_t kPageSize = 500;

// True if a list would fail for the same reason, so that it would only double the number of requests.
bool concerns_any_read(const Error& error) {
  return error.kind != Error::Kind::kStatus || error.code == 401 || error.code == 403 || error.code == 404 ||
         error.code == 429 || error.code >= 500;
}

}  // namespace

bool is_too_large_version(const Error& error) {
  return error.kind == Error::Kind::kStatus &&
         (error.status_body.find("ResourceVersionTooLarge") != std::string::npos ||
          error.server_text.find("Too large resource version") != std::string::npos);
}

ListWatchPolicy::ListWatchPolicy(base::Random& random) : random_(random), backoff_(kBackoff, random) {}

ListWatchPolicy::Action ListWatchPolicy::next(async::TimePoint now) {
  if (must_wait_) {
    must_wait_ = false;
    if (now - last_wait_ > kBackoffReset) backoff_.reset();
    last_wait_ = now;
    Action sleep;
    sleep.kind = Action::Kind::kSleep;
    sleep.wait = backoff_.next();
    return sleep;
  }
  if (pause_ > 0s) {
    Action sleep;
    sleep.kind = Action::Kind::kSleep;
    sleep.wait = std::exchange(pause_, 0s);
    return sleep;
  }
  auto action = list_action();
  if (phase_ == Phase::kWatching) {
    action.kind = Action::Kind::kWatch;
    action.resource_version = version_;
  }
  action.timeout_seconds = static_cast<int>(random_.between(kWatchSecondsMin, kWatchSecondsMax));
  doing_ = action.kind;
  return action;
}

ListWatchPolicy::Action ListWatchPolicy::list_action() const {
  Action action;
  action.resource_version = version_unavailable_ ? "" : version_;
  if (server_streams_lists_ && !plain_list_this_round_) {
    action.kind = Action::Kind::kStreamList;
    return action;
  }
  action.kind = Action::Kind::kList;
  bool from_any_version = !version_unavailable_ && version_.empty();
  if (from_any_version) action.resource_version = "0";
  // The API server answers a whole list from memory; pages at an exact version would be read from etcd.
  const bool is_from_memory = !from_any_version && !version_unavailable_;
  if (!is_from_memory && !unpaged_this_round_) action.page_size = kPageSize;
  return action;
}

void ListWatchPolicy::listed(std::string resource_version) {
  if (doing_ == Action::Kind::kStreamList) stalled_lists_ = 0;
  version_ = std::move(resource_version);
  version_unavailable_ = false;
  plain_list_this_round_ = false;
  unpaged_this_round_ = false;
  has_started_over_ = false;
  phase_ = Phase::kWatching;
}

void ListWatchPolicy::start_over() {
  version_.clear();
  version_unavailable_ = true;
  list_again();
  if (has_started_over_) back_off();
  has_started_over_ = true;
}

void ListWatchPolicy::passed(std::string resource_version) { version_ = std::move(resource_version); }

void ListWatchPolicy::failed(const Error& error) {
  switch (doing_) {
    case Action::Kind::kStreamList:
      return failed_to_stream_list(error);
    case Action::Kind::kList:
      return failed_to_list(error);
    case Action::Kind::kWatch:
      return failed_to_watch(error);
    case Action::Kind::kSleep:
      return;
  }
}

void ListWatchPolicy::failed_to_stream_list(const Error& error) {
  if (kube::is_gone(error) || is_too_large_version(error)) {
    if (version_unavailable_) return back_off();
    version_unavailable_ = true;
    return;
  }
  // The stream had an event of an unknown type, or garbage: a plain list may still be readable.
  if (error.kind == Error::Kind::kMalformed) plain_list_this_round_ = true;
  if (concerns_any_read(error)) return back_off();
  server_streams_lists_ = false;  // 400 or 422: it does not support sendInitialEvents
}

void ListWatchPolicy::failed_to_list(const Error& error) {
  bool can_retry_at_once = !version_unavailable_ && (kube::is_gone(error) || is_too_large_version(error));
  if (!can_retry_at_once) return back_off();
  version_unavailable_ = true;
}

void ListWatchPolicy::failed_to_watch(const Error& error) {
  if (kube::is_gone(error)) return watch_expired();
  // An unreadable event is sent again from the same version, and a server that is behind may stay behind.
  if (error.kind == Error::Kind::kMalformed || is_too_large_version(error)) {
    version_unavailable_ = is_too_large_version(error);
    list_again();
    return back_off();
  }
  bool lost_place = error.kind == Error::Kind::kStatus && error.code != 429 && error.code < 500;
  if (lost_place) list_again();
  back_off();
}

// 410 of a watch: the API server no longer has the changes since its version. It rejects the request, or sends an ERROR
// event. Other errors may be gone at the next attempt; this one only ends with a list.
void ListWatchPolicy::watch_expired() {
  list_again();
  back_off();
}

ListWatchPolicy::ListFailure ListWatchPolicy::list_failed(const Error& error, Page page) {
  if (page == Page::kFirst || !kube::is_gone(error)) {
    failed(error);
    return ListFailure::kError;
  }
  // As client-go's pager (FullListIfExpired): a list without pages, from the requested version.
  if (unpaged_this_round_) {
    failed_to_list(error);
  } else {
    unpaged_this_round_ = true;
  }
  return ListFailure::kTokenExpired;
}

void ListWatchPolicy::list_is_not_streamed() { server_streams_lists_ = false; }

void ListWatchPolicy::stream_ended(End end, Course course) {
  if (phase_ == Phase::kListing) {
    // With a proxy, or a server without WatchList, the stream may open and the list never end, or the connection may
    // always close before its end.
    if (end == End::kStalled && ++stalled_lists_ == kStalledLists) server_streams_lists_ = false;
    plain_list_this_round_ = true;
    if (end != End::kStalled) back_off();
    return;
  }
  short_watches_ = course == Course::kShort ? short_watches_ + 1 : 0;
  // The first short watch is reopened immediately: a connection broke, or a server restarts.
  if (short_watches_ > 1) pause_ = jittered(kPauseOfSeries);
  if (course != Course::kBarren) return;
  list_again();
  back_off();
}

void ListWatchPolicy::stream_failed(const Error& error) {
  if (phase_ == Phase::kListing) return failed_to_stream_list(error);
  if (kube::is_gone(error)) return watch_expired();
  if (error.code != 429) list_again();
  back_off();
}

void ListWatchPolicy::list_again() {
  phase_ = Phase::kListing;
  ++relists_;
}

void ListWatchPolicy::back_off() { must_wait_ = true; }

// Extends the wait to up to twice its length, so that the watches of many kinds do not start at the same time.
async::Duration ListWatchPolicy::jittered(async::Duration wait) {
  auto longer = std::chrono::duration<double>(wait) * (1 + random_.unit());
  return std::chrono::duration_cast<async::Duration>(longer);
}

}  // namespace keelson::cache
