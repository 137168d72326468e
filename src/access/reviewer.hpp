// Sends reviews to the API server, with retries and a timeout. Concurrent equal reviews are sent once; the number of
// reviews in progress is limited, and the waiting room decides their order.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/tls/sha256.hpp"
#include "keelson/kube/client.hpp"
#include "src/access/review.hpp"
#include "src/access/waiting_room.hpp"

namespace keelson::access {

class Reviewer {
 public:
  // All must outlive it; it must outlive its reviews.
  Reviewer(async::Clock& clock, base::Random& random, kube::Client& client)
      : clock_(clock), random_(random), client_(client) {}
  Reviewer(const Reviewer&) = delete;
  Reviewer& operator=(const Reviewer&) = delete;

  // The answer's body, or nothing when the request was displaced by another one. Cancellation unwinds. In both cases
  // one of the requests that wait for the same review restarts it, within what is left of its own time.
  [[nodiscard]] boost::asio::awaitable<std::optional<Result<std::string>>> ask(Review review, Asker asker);

 private:
  // A review in progress.
  struct Flight {
    std::optional<Result<std::string>> outcome;  // none if its request lost its place or was canceled
    bool has_landed = false;
  };
  class Landing;
  class Place;
  class Turn;
  [[nodiscard]] boost::asio::awaitable<std::optional<Result<std::string>>> fly(const Review& review, tls::Sha256 key,
                                                                               Place& place, async::TimePoint deadline);
  [[nodiscard]] Task<std::string> try_often(const Review& review, Place& place);
  [[nodiscard]] Task<std::string> try_once(const Review& review, Place& place);
  void give_turns();
  void open();

  async::Clock& clock_;
  base::Random& random_;
  kube::Client& client_;
  std::map<tls::Sha256, std::shared_ptr<Flight>> flights_;  // shared with waiting requests, by the review's hash
  WaitingRoom room_;
  std::map<WaitingRoom::Visit, Place*> places_;  // the requests in the room
  std::unique_ptr<async::Timer> opening_;        // calls open(), if requests wait only for their rate
};

}  // namespace keelson::access
