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
  Action action;
  action.kind = Action::Kind::kSleep;
  switch (std::exchange(wait_, Wait::kNone)) {
    case Wait::kBackoff:
      if (now - last_backoff_ > kBackoffReset) backoff_.reset();
      last_backoff_ = now;
      action.wait = backoff_.next();
      return action;
    case Wait::kPause:
      action.wait = pause_of_series();
      return action;
    case Wait::kNone:
      break;
  }
  if (const auto* listing = std::get_if<Listing>(&state_)) {
    action = list_action(*listing);
  } else {
    action.kind = Action::Kind::kWatch;
    action.resource_version = version_;
  }
  action.timeout_seconds = static_cast<int>(random_.between(kWatchSecondsMin, kWatchSecondsMax));
  return action;
}

ListWatchPolicy::Action ListWatchPolicy::list_action(const Listing& listing) const {
  Action action;
  action.resource_version = listing.is_from_newest ? "" : version_;
  if (form_of(listing) == Form::kStreamed) {
    action.kind = Action::Kind::kStreamList;
    return action;
  }
  action.kind = Action::Kind::kList;
  const bool is_from_any_version = !listing.is_from_newest && version_.empty();
  if (is_from_any_version) action.resource_version = "0";
  // The API server answers a whole list from memory; pages at an exact version would be read from etcd.
  const bool is_from_memory = !is_from_any_version && !listing.is_from_newest;
  if (!is_from_memory && listing.form != Form::kWhole) action.page_size = kPageSize;
  return action;
}

ListWatchPolicy::Form ListWatchPolicy::form_of(const Listing& listing) const {
  const bool is_switched_off = stalled_lists_ >= kStalledLists;
  return listing.form == Form::kStreamed && is_switched_off ? Form::kPages : listing.form;
}

void ListWatchPolicy::listed(std::string resource_version) {
  const auto* listing = std::get_if<Listing>(&state_);
  if (listing != nullptr && form_of(*listing) == Form::kStreamed) stalled_lists_ = 0;
  version_ = std::move(resource_version);
  state_ = Watching();
}

void ListWatchPolicy::start_over() {
  auto& listing = list_again();
  listing.is_from_newest = true;
  if (std::exchange(listing.has_started_over, true)) back_off();
}

void ListWatchPolicy::passed(std::string resource_version) { version_ = std::move(resource_version); }

void ListWatchPolicy::failed(const Error& error) {
  auto* listing = std::get_if<Listing>(&state_);
  if (listing == nullptr) return failed_to_watch(error);
  if (form_of(*listing) == Form::kStreamed) return failed_to_stream_list(*listing, error);
  failed_to_list(*listing, error);
}

void ListWatchPolicy::failed_to_stream_list(Listing& listing, const Error& error) {
  if (kube::is_gone(error) || is_too_large_version(error)) {
    if (std::exchange(listing.is_from_newest, true)) back_off();
    return;
  }
  // The stream had an event of an unknown type, or garbage: a plain list may still be readable.
  if (error.kind == Error::Kind::kMalformed) listing.form = Form::kPages;
  if (concerns_any_read(error)) return back_off();
  stalled_lists_ = kStalledLists;  // 400 or 422: it does not support sendInitialEvents
}

void ListWatchPolicy::failed_to_list(Listing& listing, const Error& error) {
  const bool lacks_version = kube::is_gone(error) || is_too_large_version(error);
  if (!lacks_version || std::exchange(listing.is_from_newest, true)) back_off();
}

void ListWatchPolicy::failed_to_watch(const Error& error) {
  if (kube::is_gone(error)) return watch_expired();
  // An unreadable event is sent again from the same version, and a server that is behind may stay behind.
  if (error.kind == Error::Kind::kMalformed || is_too_large_version(error)) {
    list_again().is_from_newest = is_too_large_version(error);
    return back_off();
  }
  const bool lost_place = error.kind == Error::Kind::kStatus && error.code != 429 && error.code < 500;
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
  auto* listing = std::get_if<Listing>(&state_);
  if (listing == nullptr || page == Page::kFirst || !kube::is_gone(error)) {
    failed(error);
    return ListFailure::kError;
  }
  // As client-go's pager (FullListIfExpired): a list without pages, from the requested version.
  if (std::exchange(listing->form, Form::kWhole) == Form::kWhole) failed_to_list(*listing, error);
  return ListFailure::kTokenExpired;
}

void ListWatchPolicy::stream_ended(const StreamEnd& end, Course course) {
  if (std::holds_alternative<WentBack>(end)) return start_over();
  if (std::holds_alternative<NotStreamed>(end)) {
    stalled_lists_ = kStalledLists;
    return;
  }
  if (const auto* by_event = std::get_if<Rejected>(&end)) return rejected(by_event->error);
  const auto* broken = std::get_if<Broken>(&end);
  if (broken != nullptr && broken->error.kind == Error::Kind::kMalformed) return failed(broken->error);
  if (auto* listing = std::get_if<Listing>(&state_)) {
    list_was_cut(*listing, std::holds_alternative<Stalled>(end));
  } else if (auto* watching = std::get_if<Watching>(&state_)) {
    watch_was_cut(*watching, course);
  }
}

// By an ERROR event.
void ListWatchPolicy::rejected(const Error& error) {
  if (auto* listing = std::get_if<Listing>(&state_)) return failed_to_stream_list(*listing, error);
  if (kube::is_gone(error)) return watch_expired();
  if (error.code != 429) list_again();
  back_off();
}

// With a proxy, or a server without WatchList, the stream may open and the list never end, or the connection may always
// close before its end.
void ListWatchPolicy::list_was_cut(Listing& listing, bool is_stalled) {
  listing.form = Form::kPages;
  if (is_stalled) {
    ++stalled_lists_;
  } else {
    back_off();
  }
}

void ListWatchPolicy::watch_was_cut(Watching& watching, Course course) {
  watching.short_watches = course == Course::kShort ? watching.short_watches + 1 : 0;
  // The first short watch is reopened immediately: a connection broke, or a server restarts.
  if (watching.short_watches > 1) wait_ = Wait::kPause;
  if (course != Course::kBarren) return;
  list_again();
  back_off();
}

Listing& ListWatchPolicy::list_again() {
  auto* listing = std::get_if<Listing>(&state_);
  return listing != nullptr ? *listing : state_.emplace<Listing>();
}

// Up to twice as long, so that the watches of many kinds do not start at the same time.
async::Duration ListWatchPolicy::pause_of_series() {
  const auto longer = std::chrono::duration<double>(kPauseOfSeries) * (1 + random_.unit());
  return std::chrono::duration_cast<async::Duration>(longer);
}

}  // namespace keelson::cache
