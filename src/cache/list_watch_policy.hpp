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
#include <variant>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/backoff.hpp"
#include "keelson/detail/base/error.hpp"
#include "keelson/detail/base/random.hpp"

namespace keelson::cache {

// The states of ListWatchPolicy.
struct Listing {
  // In the order in which they replace each other until a list is complete.
  enum class Form { kStreamed, kPages, kWhole };
  Form form = Form::kStreamed;
  bool is_from_newest = false;  // the server does not have the known version
  bool has_started_over = false;
};
struct Watching {
  int short_watches = 0;  // in a row
};

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

  // How an open stream ended.
  struct Closed {};   // by the server
  struct Stalled {};  // it received nothing for too long, or its list took too long
  // Its connection failed, or it contained something that is not an event (kMalformed).
  struct Broken {
    Error error;
  };
  // By an ERROR event.
  struct Rejected {
    Error error;
  };
  struct NotStreamed {};  // the server ignores sendInitialEvents, so the list would never end
  struct WentBack {};     // its list has an impossible version, as for start_over()
  using StreamEnd = std::variant<Closed, Stalled, Broken, Rejected, NotStreamed, WentBack>;
  // kBarren: ended without an event, within a second or after a long silence. kShort: ended within a second, with
  // events.
  enum class Course { kLong, kShort, kBarren };
  void stream_ended(const StreamEnd& end, Course course);

  // After an outage: the waits are short again.
  void server_answers_again() { backoff_.reset(); }

  [[nodiscard]] bool has_listed() const { return std::holds_alternative<Watching>(state_); }

 private:
  using Form = Listing::Form;
  enum class Wait { kNone, kBackoff, kPause };

  void back_off() { wait_ = Wait::kBackoff; }
  [[nodiscard]] async::Duration pause_of_series();
  // Lists if the policy does not do so already.
  Listing& list_again();
  void watch_expired();
  void failed_to_stream_list(Listing& listing, const Error& error);
  void failed_to_list(Listing& listing, const Error& error);
  void failed_to_watch(const Error& error);
  void rejected(const Error& error);
  void list_was_cut(Listing& listing, bool is_stalled);
  void watch_was_cut(Watching& watching, Course course);
  [[nodiscard]] Form form_of(const Listing& listing) const;
  [[nodiscard]] Action list_action(const Listing& listing) const;

  base::Random& random_;
  base::Backoff backoff_;
  std::variant<Listing, Watching> state_;
  std::string version_;  // the newest one that a list or watch has delivered
  // Streamed lists that stalled since the last complete one. At kStalledLists lists are not streamed any more.
  int stalled_lists_ = 0;
  Wait wait_ = Wait::kNone;  // before the next request
  async::TimePoint last_backoff_{};
};

// "Too large resource version": this API server is behind the one that reported the version.
[[nodiscard]] bool is_too_large_version(const Error& error);

}  // namespace keelson::cache
