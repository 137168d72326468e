// The next action of a reflector, such as a relist after 410 Gone: the decisions of client-go's ListAndWatch, without
// I/O.
//
// Differences from client-go: streaming is switched off until the restart for a server that cannot stream lists, or
// whose streamed lists stall three times in a row; a watch that broke resumes from its last version without a relist.
//
// Decision: docs/decisions/0002-informers-store-own-writes.md
#pragma once

#include <cstdint>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/backoff.hpp"
#include "keelson/base/error.hpp"
#include "keelson/base/random.hpp"

namespace keelson::cache {

class ListWatchPolicy {
 public:
  explicit ListWatchPolicy(base::Random& random);

  struct Action {
    enum class Kind { kStreamList, kList, kWatch, kSleep };
    Kind kind = Kind::kList;
    std::string resource_version;
    std::int64_t page_size = 0;  // kList; 0: all at once
    int timeout_seconds = 0;     // kStreamList and kWatch
    async::Duration wait{0};     // kSleep
  };
  [[nodiscard]] Action next(async::TimePoint now);

  // The list is complete, streamed or not. The backoff is not reset, because the watch after it may fail immediately.
  void listed(std::string resource_version);
  // The listed version is impossible (the server went back in time): relist immediately from scratch, without a
  // version. If that list is impossible too, wait first.
  void start_over();
  // The watch has delivered an event or bookmark of this version.
  void passed(std::string resource_version);

  // The action failed before a stream was open or a list was complete.
  void failed(const Error& error);
  // A list failed on one of its pages. kTokenExpired: with 410 on a later page, which is normal for a list that takes
  // minutes; it is requested again without pages.
  enum class Page { kFirst, kLater };
  enum class ListFailure { kError, kTokenExpired };
  [[nodiscard]] ListFailure list_failed(const Error& error, Page page);
  // The stream of a list shows that the server ignores sendInitialEvents, so the list would never end.
  void list_is_not_streamed();

  enum class End { kClosed, kBroken, kStalled };
  // kBarren: ended without an event, within a second or after a long silence. kShort: ended within a second, with
  // events.
  enum class Course { kLong, kShort, kBarren };
  // An open stream has ended.
  void stream_ended(End end, Course course);
  // The stream has ended with an ERROR event.
  void stream_failed(const Error& error);

  // After an outage: the waits are short again.
  void server_answers_again() { backoff_.reset(); }

  [[nodiscard]] bool has_listed() const { return phase_ == Phase::kWatching; }
  [[nodiscard]] std::uint64_t relists() const { return relists_; }

 private:
  enum class Phase { kListing, kWatching };
  void back_off();
  [[nodiscard]] async::Duration jittered(async::Duration wait);
  void list_again();
  void failed_to_stream_list(const Error& error);
  void failed_to_list(const Error& error);
  void failed_to_watch(const Error& error);
  // 410 Gone, of a watch or in its stream. For a streamed list, failed_to_stream_list() decides.
  void watch_expired();
  [[nodiscard]] Action list_action() const;

  base::Random& random_;
  base::Backoff backoff_;
  Phase phase_ = Phase::kListing;
  Action::Kind doing_ = Action::Kind::kSleep;
  std::string version_;
  bool version_unavailable_ = false;
  bool server_streams_lists_ = true;
  bool plain_list_this_round_ = false;
  int stalled_lists_ = 0;  // streamed lists that stalled since the last complete one
  bool unpaged_this_round_ = false;
  bool has_started_over_ = false;
  bool must_wait_ = false;
  int short_watches_ = 0;  // in a row
  async::Duration pause_{0};
  std::uint64_t relists_ = 0;
  async::TimePoint last_wait_{};
};

// "Too large resource version": this API server is behind the one that reported the version.
[[nodiscard]] bool is_too_large_version(const Error& error);

}  // namespace keelson::cache
