// Open watches: the place of each in the history, and the lines that its client reads; and the lists in flight, which
// share the memory for clients that read slowly.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/async/notify.hpp"
#include "src/sandbox/storage/history.hpp"
#include "src/sandbox/storage/snapshot.hpp"
#include "src/sandbox/storage/store.hpp"

namespace keelson::sandbox {

// Owned by the stream that a client reads; the hub has a weak reference.
struct Watcher {
  enum class End { kOpen, kProper, kBroken };

  const ServedKind* kind = nullptr;
  const ServedKind* view = nullptr;  // as in Call
  Selection selection;
  bool wants_bookmarks = false;
  std::vector<kube::Object> initial;  // sent before `said`; each line is written when the client reads it
  // Lines, beginning with the first that the client has not read completely. The lines of further events are added when
  // the client reads them; until then the watch only has its place in the history.
  std::string said;
  End end = End::kOpen;
  async::Notify changed;
  std::unique_ptr<async::Timer> deadline;
  std::unique_ptr<async::Timer> life;  // the time at which chaos breaks it; null: never

  // Adds a line that is no event of the store.
  void say(const std::string& type, std::string_view object);
  // Adds a bookmark behind the events up to this version.
  void set_bookmark(std::uint64_t version);
  // Sends the events from this place on.
  void begin_at(History::Place place);
  // The history has another write.
  void hear();
  // The version of the first event that the client has not read; nullopt: it has read all.
  [[nodiscard]] std::optional<std::uint64_t> unread_from() const;
  // The bytes that the client reads next. Empty if there are none at the moment.
  [[nodiscard]] std::string_view unread();
  // Drops the first `bytes` of unread(): the client has read them.
  void take(std::size_t bytes);
  // Drops and returns the next complete lines, about limits::kSandboxPieceBytes of them.
  [[nodiscard]] std::string take_lines();
  // A watch that ends properly sends the events until now first.
  void finish(End how);
  // Breaks the watch, even one that has ended properly, and releases the events that are not sent yet.
  void abandon();

 private:
  [[nodiscard]] std::string line(const std::string& type, std::string_view object) const;
  [[nodiscard]] std::string next_line() const;
  void seek();
  void write_events();
  [[nodiscard]] bool is_in_front() const { return front_taken_ < front_.size(); }

  std::size_t taken_ = 0;  // bytes of `said` that the client has read
  std::size_t sent_ = 0;   // objects of `initial` that have become lines in `front_`
  std::string front_;      // the lines of the next objects of `initial`
  std::size_t front_taken_ = 0;
  History::Place place_;                   // of the next event, or the end of the history
  std::optional<History::Place> until_;    // nullopt: the watch is open
  const char* event_ = nullptr;            // the type of the event at place_; null: there is none yet
  std::optional<std::uint64_t> bookmark_;  // the version of a bookmark that is not in `said` yet
};

// Whether the watch begins with all existing objects.
[[nodiscard]] bool begins_with_objects(const Call& call);

class WatchHub {
 public:
  WatchHub(async::Clock& clock, async::Duration bookmark_period) : clock_(clock), bookmark_period_(bookmark_period) {}
  WatchHub(const WatchHub&) = delete;
  WatchHub& operator=(const WatchHub&) = delete;

  // Starts the watch that `call` describes: with all existing objects, with the changes since a version, or with a 410
  // as an event. `initial` holds the existing objects; without it, they are collected here.
  [[nodiscard]] RejectionOr<std::shared_ptr<Watcher>> open(const Call& call, const Store& store,
                                                           std::optional<Snapshot> initial = std::nullopt);

  // Adds a list that its client has begun to read, to be released when it has been sent.
  void add_list(const std::shared_ptr<Snapshot>& list, const History& history);

  // The history has another write. If the unread events of all watches and the replaced objects of lists in flight take
  // more than limits::kSandboxWatchBytes, the watches and lists that are the farthest behind break.
  void tell(const History& history);
  // Ends the open watches of `kind`, or of all kinds, as if their connections broke.
  void drop(const ServedKind* kind = nullptr);
  // Ends every open watch cleanly. A watch that is opened later sends its first events and ends.
  void close();
  [[nodiscard]] std::size_t size();

  // Returns the time until a watch breaks; nullopt: never. Called for each open watch, and for each later one.
  using NextLife = std::function<std::optional<async::Duration>()>;
  void limit_lives(NextLife next_life);
  // The number of watches that limit_lives() has broken.
  [[nodiscard]] std::size_t ended_lives() const { return *ended_lives_; }

 private:
  void begin(Watcher& watcher, const Call& call, const Store& store, std::optional<Snapshot> initial);
  void arm_bookmarks(const Store& store);
  void begin_life(Watcher& watcher);
  void relieve(const History& history);
  [[nodiscard]] bool abandon_slowest();
  [[nodiscard]] std::vector<std::shared_ptr<Watcher>> living();

  async::Clock& clock_;
  async::Duration bookmark_period_;
  std::vector<std::weak_ptr<Watcher>> watchers_;
  std::vector<std::weak_ptr<Snapshot>> lists_;
  std::unique_ptr<async::Timer> bookmark_timer_;
  bool is_closed_ = false;
  NextLife next_life_;
  std::shared_ptr<std::size_t> ended_lives_ = std::make_shared<std::size_t>(0);
};

}  // namespace keelson::sandbox
