// What the reflectors of a cache know together about an API server that does not answer.
//
// Each reflector backs off by itself, up to a minute. Without this class, the watches of some kinds would still wait
// when others work again. While the server is down or starts, one reflector tries about every two seconds, in turn,
// whatever the number of kinds. As soon as one gets an answer, the others try within a second.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/base/random.hpp"

namespace keelson::cache {

class ServerOutage {
 public:
  // References must outlive it.
  ServerOutage(async::Clock& clock, base::Random& random) : clock_(clock), random_(random) {}
  ServerOutage(const ServerOutage&) = delete;
  ServerOutage& operator=(const ServerOutage&) = delete;

  // A request that began at `begun` got no answer. It concerns the whole server if no reflector has heard from it
  // since.
  void unanswered(async::TimePoint begun);
  // Bytes of an open watch or list: the server works, even if a request of one kind gets no answer. Wakes no sleeper.
  void heard();
  // A request got an answer, of any kind. The first one after an outage wakes all sleepers.
  void answered();
  // A request of a reflector that had failed succeeded: wakes all sleepers, because a server that starts accepts
  // requests for some kinds earlier than for others.
  void recovered();

  // The server has just started: it may still reject requests with 403 or 404, because it has not read the RBAC rules
  // or the CRDs. True for kStart after an outage, and not again for further outages that begin within kQuiet.
  [[nodiscard]] bool may_be_starting() const;

  // Waits for `wait`, or less: until the turn of this caller to try, or until recovered(). True if it was woken because
  // the server answers again.
  [[nodiscard]] boost::asio::awaitable<bool> sleep(async::Duration wait);

  static constexpr std::chrono::seconds kBetweenTries{2};
  // Woken reflectors start within this time, not all at once.
  static constexpr std::chrono::seconds kSpread{1};
  // RBAC rules and CRDs are read within seconds; on a slow machine, or with many of them, it takes longer.
  static constexpr std::chrono::seconds kStart{30};
  // Longer than the longest backoff, so that one failing kind does not cause a new start at each attempt.
  static constexpr std::chrono::minutes kQuiet{2};

 private:
  [[nodiscard]] bool has_turns() const { return is_down_ || may_be_starting(); }
  [[nodiscard]] async::Duration until_turn(async::Duration wait);

  async::Clock& clock_;
  base::Random& random_;
  bool is_down_ = false;
  std::optional<async::TimePoint> heard_;  // the last sign of life, on any connection
  std::optional<async::TimePoint> started_;
  std::optional<async::TimePoint> ended_;  // the last outage; the start of the first one in a series is started_
  async::TimePoint last_turn_{};
  async::Notify woken_;
};

}  // namespace keelson::cache
