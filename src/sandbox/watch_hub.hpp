// Open watches: what each has still to say, and the feeding of all of them from the store's changes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/notify.hpp"
#include "src/sandbox/snapshot.hpp"
#include "src/sandbox/store.hpp"

namespace keelson::sandbox {

// Held by the stream that a client reads; the hub only knows of it.
struct Watcher {
  enum class End { kOpen, kProper, kBroken };

  const ServedKind* kind = nullptr;
  const ServedKind* view = nullptr;  // as in Call
  Selection selection;
  bool wants_bookmarks = false;
  std::vector<kube::Object> initial;  // sent before `said`; their lines are made when they are read
  std::string said;                   // lines, from the first that was not read whole
  End end = End::kOpen;
  async::Notify changed;
  std::unique_ptr<async::Timer> deadline;
  std::unique_ptr<async::Timer> life;  // chaos breaks it then; null: it stays

  void say(const std::string& type, std::string_view object);
  // What is to be read next; empty: nothing for now.
  [[nodiscard]] std::string_view unread();
  // So many bytes of it were read.
  void take(std::size_t bytes);
  // What is to be read next, taken: whole lines, about limits::kSandboxPieceBytes of them.
  [[nodiscard]] std::string take_lines();
  void finish(End how);

 private:
  [[nodiscard]] std::string line(const std::string& type, std::string_view object) const;
  [[nodiscard]] bool is_in_front() const { return front_taken_ < front_.size(); }

  std::size_t taken_ = 0;  // bytes of `said` that were read
  std::size_t sent_ = 0;   // of `initial`, in `front_`
  std::string front_;      // the lines of some of `initial`
  std::size_t front_taken_ = 0;
};

// Whether the watch begins with all objects there are.
[[nodiscard]] bool begins_with_objects(const Call& call);

class WatchHub {
 public:
  WatchHub(async::Clock& clock, async::Duration bookmark_period) : clock_(clock), bookmark_period_(bookmark_period) {}
  WatchHub(const WatchHub&) = delete;
  WatchHub& operator=(const WatchHub&) = delete;

  // Starts a watch as its call asks: all there is first, or what changed since a version, or a 410 as an event. All
  // there is now is in `initial`; without it, it is collected here.
  [[nodiscard]] Or<std::shared_ptr<Watcher>> open(const Call& call, const Store& store,
                                                  std::optional<Snapshot> initial = std::nullopt);

  void tell(const Change& change);
  // Every open watch ends as if its connection broke; of a kind, or of all.
  void drop(const ServedKind* kind = nullptr);
  // Every open watch ends in order, and so does each that is opened from now on, after what it has to say first.
  void close();
  [[nodiscard]] std::size_t size();

  // Asked for each watch that is open now, and each that is opened later, when it breaks; nothing: it stays.
  using NextLife = std::function<std::optional<async::Duration>()>;
  void limit_lives(NextLife next_life);
  // How many watches broke because of that since then.
  [[nodiscard]] std::size_t ended_lives() const { return *ended_lives_; }

 private:
  void begin(Watcher& watcher, const Call& call, const Store& store, std::optional<Snapshot> initial);
  void arm_bookmarks(const Store& store);
  void begin_life(Watcher& watcher);
  [[nodiscard]] std::vector<std::shared_ptr<Watcher>> living();

  async::Clock& clock_;
  async::Duration bookmark_period_;
  std::vector<std::weak_ptr<Watcher>> watchers_;
  std::unique_ptr<async::Timer> bookmark_timer_;
  bool is_closed_ = false;
  NextLife next_life_;
  std::shared_ptr<std::size_t> ended_lives_ = std::make_shared<std::size_t>(0);
};

}  // namespace keelson::sandbox
