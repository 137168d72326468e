// Decides whether a recorded event is sent, counted in a series, or dropped. No I/O, no clock.
//
// The first event is created; the first repetition patches a series of 2 into it; later ones are only counted and
// sent with the next refresh (30 min) or when the series ends (6 min without one), as client-go does. A flood of
// different events about one object is cut by a token bucket (25 at once, then one in 300 s). Warnings have a bucket of
// their own, so that a flood of Normal events cannot hide them.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "src/controller/recent_map.hpp"

namespace keelson::limits {

// Events (the kind) that wait to be sent, and the objects and series in the memory of an event recorder (client-go).
inline constexpr std::size_t kQueuedEvents = 1000;
inline constexpr std::size_t kRememberedEvents = 4096;

}  // namespace keelson::limits

namespace keelson::controller {

// A reference as both kinds of Event have it.
struct Regarding {
  std::string api_version;
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
  std::string resource_version;
};

struct EventSeries {
  Regarding regarding;
  std::optional<Regarding> related;
  std::string type;  // Normal, Warning
  std::string reason;
  std::string action;
  std::string note;
  std::string ns;    // of the Event itself
  std::string name;  // of the Event itself
  async::WallTime first;
  async::WallTime last;
  int count = 1;

  // Events with the same key form a series; the note does not belong to it.
  [[nodiscard]] std::string key() const;
};

class EventPolicy {
 public:
  enum class Taken { kQueued, kCounted, kCut, kFull };
  Taken record(EventSeries event, async::TimePoint now);

  struct Job {
    enum class Action { kCreate, kPatch };
    Action action = Action::kCreate;
    std::string key;
    EventSeries series;
  };
  [[nodiscard]] std::optional<Job> next();
  // The result of the job: the server has `count` of the event now, or has rejected it.
  void sent(const Job& job, async::TimePoint now);
  void rejected(const Job& job) { series_.erase(job.key); }

  // Queues series that are due for a refresh or at their end. Once a minute is enough.
  void sweep(async::TimePoint now);
  // Queues everything that the server does not have yet, for the end of the program.
  void flush();

  [[nodiscard]] std::size_t queued() const { return queue_.size(); }
  [[nodiscard]] std::size_t series() const { return series_.size(); }

 private:
  struct State {
    EventSeries series;
    int sent_count = 0;
    async::TimePoint seen;
    async::TimePoint sent;
    bool queued = false;
    bool in_flight = false;
  };
  struct Bucket {
    double tokens;
    async::TimePoint filled;
  };
  bool take_token(const EventSeries& event, async::TimePoint now);
  bool enqueue(const std::string& key, State& state);

  RecentMap<State> series_{limits::kRememberedEvents};
  RecentMap<Bucket> buckets_{limits::kRememberedEvents};
  std::deque<std::string> queue_;
};

}  // namespace keelson::controller
