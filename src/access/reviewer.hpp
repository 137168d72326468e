// Asks the API server for reviews: each with retries and within its time, equal ones at once as one, only so many at
// a time.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/notify.hpp"
#include "keelson/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/sha256.hpp"
#include "src/access/review.hpp"

namespace keelson::access {

class Reviewer {
 public:
  // All must outlive it; it must outlive its reviews.
  Reviewer(async::Clock& clock, base::Random& random, kube::Client& client)
      : clock_(clock), random_(random), client_(client) {}
  Reviewer(const Reviewer&) = delete;
  Reviewer& operator=(const Reviewer&) = delete;

  // The answer's body, or a kTransport error at once while limits::kRequestsAwaitingReview others wait. Cancellation
  // unwinds; who waited for the same review gets a kTransport error then.
  [[nodiscard]] boost::asio::awaitable<Result<std::string>> ask(Review review);

 private:
  // A review under way.
  struct Flight {
    async::Notify landed;
    std::optional<Result<std::string>> outcome;
  };
  class Landing;
  class Turn;
  class Place;
  [[nodiscard]] boost::asio::awaitable<Result<std::string>> try_often(const Review& review);
  [[nodiscard]] boost::asio::awaitable<Result<std::string>> try_once(const Review& review);

  async::Clock& clock_;
  base::Random& random_;
  kube::Client& client_;
  std::map<net::Sha256, std::shared_ptr<Flight>> flights_;  // shared with those who wait, by the hash of the review
  std::size_t under_way_ = 0;
  std::size_t waiting_ = 0;
  async::Notify changed_;  // one less is under way
};

}  // namespace keelson::access
