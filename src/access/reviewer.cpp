#include "src/access/reviewer.hpp"

#include "keelson/async/timeout.hpp"
#include "keelson/base/limits.hpp"
#include "src/access/review_retries.hpp"

namespace keelson::access {
namespace asio = boost::asio;

// However a flight ends, nobody waits for it any longer.
class Reviewer::Landing {
 public:
  Landing(Reviewer& reviewer, const net::Sha256& key, Flight& flight)
      : reviewer_(reviewer), key_(key), flight_(flight) {}
  Landing(const Landing&) = delete;
  Landing& operator=(const Landing&) = delete;
  ~Landing() {
    if (!flight_.outcome) flight_.outcome = transport("the review was given up");
    flight_.landed.notify_all();
    reviewer_.flights_.erase(key_);
  }

 private:
  Reviewer& reviewer_;
  net::Sha256 key_;
  Flight& flight_;
};

class Reviewer::Turn {
 public:
  explicit Turn(Reviewer& reviewer) : reviewer_(reviewer) { ++reviewer_.under_way_; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    --reviewer_.under_way_;
    // All: the one who has waited longest may just have run out of time.
    reviewer_.changed_.notify_all();
  }

 private:
  Reviewer& reviewer_;
};

class Reviewer::Place {
 public:
  explicit Place(Reviewer& reviewer) : reviewer_(reviewer) { ++reviewer_.waiting_; }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { --reviewer_.waiting_; }

 private:
  Reviewer& reviewer_;
};

asio::awaitable<Result<std::string>> Reviewer::ask(Review review) {
  if (waiting_ >= limits::kRequestsAwaitingReview) {
    co_return transport(std::to_string(limits::kRequestsAwaitingReview) + " requests wait for reviews already");
  }
  const Place place(*this);
  const auto key = net::sha256(review.body);
  const auto found = flights_.find(key);
  if (found != flights_.end()) {
    const auto flight = found->second;
    co_await flight->landed.wait();
    co_return *flight->outcome;
  }
  const auto flight = std::make_shared<Flight>();
  flights_.emplace(key, flight);
  const Landing landing(*this, key, *flight);
  auto tries = try_often(review);
  flight->outcome = co_await async::with_timeout(clock_, limits::kReviewTime,
                                                 "create " + review.resource.qualified_plural(), std::move(tries));
  co_return *flight->outcome;
}

asio::awaitable<Result<std::string>> Reviewer::try_often(const Review& review) {
  ReviewRetries retries(random_);
  for (;;) {
    auto answer = co_await try_once(review);
    if (answer) co_return answer;
    const auto pause = retries.after(answer.error());
    if (!pause) co_return answer;
    co_await async::sleep_for(clock_, *pause);
  }
}

asio::awaitable<Result<std::string>> Reviewer::try_once(const Review& review) {
  while (under_way_ >= limits::kReviewsAtOnce) co_await changed_.wait();
  const Turn turn(*this);
  kube::ApiRequest request;
  request.verb = kube::Verb::kCreate;
  request.resource = review.resource;
  request.body = review.body;
  auto reply = co_await client_.send(std::move(request));
  if (!reply) co_return std::move(reply.error()).within("create " + review.resource.qualified_plural());
  co_return std::move(reply->body);
}

}  // namespace keelson::access
