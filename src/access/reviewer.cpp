#include "src/access/reviewer.hpp"

#include "keelson/detail/async/timeout.hpp"
#include "src/access/review_retries.hpp"

namespace keelson::access {
namespace asio = boost::asio;

// The place of a request in the waiting room, until it has its answer.
class Reviewer::Place {
 public:
  Place(Reviewer& reviewer, const Asker& asker) : reviewer_(reviewer) {
    const auto entered = reviewer_.room_.enter(asker);
    visit_ = entered.visit;
    reviewer_.places_.emplace(visit_, this);
    if (entered.displaced) reviewer_.places_.at(*entered.displaced)->lose();
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    reviewer_.places_.erase(visit_);
    reviewer_.room_.leave(visit_);
    reviewer_.give_turns();
  }

  [[nodiscard]] WaitingRoom::Visit visit() const { return visit_; }
  [[nodiscard]] bool is_lost() const { return is_lost_; }
  [[nodiscard]] async::Notify& changed() { return changed_; }

  bool has_turn = false;
  const Flight* flight = nullptr;  // the review of another request, whose outcome this request waits for

  [[nodiscard]] asio::awaitable<void> until_lost() {
    while (!is_lost_) co_await changed_.wait();
  }

 private:
  void lose() {
    is_lost_ = true;
    reviewer_.places_.erase(visit_);
    changed_.notify_all();
  }

  Reviewer& reviewer_;
  WaitingRoom::Visit visit_ = 0;
  bool is_lost_ = false;
  async::Notify changed_;  // a turn, an answer, or the place is lost
};

// Ends a flight, with an outcome or without one, and wakes the requests that wait for it.
class Reviewer::Landing {
 public:
  Landing(Reviewer& reviewer, const tls::Sha256& key, Flight& flight)
      : reviewer_(reviewer), key_(key), flight_(flight) {}
  Landing(const Landing&) = delete;
  Landing& operator=(const Landing&) = delete;
  ~Landing() {
    flight_.has_landed = true;
    for (const auto& [visit, place] : reviewer_.places_) {
      if (place->flight == &flight_) place->changed().notify_all();
    }
    reviewer_.flights_.erase(key_);
  }

 private:
  Reviewer& reviewer_;
  tls::Sha256 key_;
  Flight& flight_;
};

class Reviewer::Turn {
 public:
  Turn(Reviewer& reviewer, Place& place) : reviewer_(reviewer), place_(place) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    place_.has_turn = false;
    reviewer_.room_.end_turn(place_.visit());
    reviewer_.give_turns();
  }

 private:
  Reviewer& reviewer_;
  Place& place_;
};

asio::awaitable<std::optional<Result<std::string>>> Reviewer::ask(Review review, Asker asker) {
  const auto deadline = clock_.now() + limits::kReviewTime;
  Place place(*this, asker);
  const auto key = tls::sha256(review.body);
  while (!place.is_lost()) {
    const auto found = flights_.find(key);
    if (found == flights_.end()) co_return co_await fly(review, key, place, deadline);
    const auto flight = found->second;
    place.flight = flight.get();
    while (!flight->has_landed && !place.is_lost()) co_await place.changed().wait();
    place.flight = nullptr;
    if (flight->outcome) co_return flight->outcome;
    // The request of that flight lost its place or was canceled: the first request to wake restarts the review.
  }
  co_return std::nullopt;
}

asio::awaitable<std::optional<Result<std::string>>> Reviewer::fly(const Review& review, tls::Sha256 key, Place& place,
                                                                  async::TimePoint deadline) {
  const auto flight = std::make_shared<Flight>();
  flights_.emplace(key, flight);
  const Landing landing(*this, key, *flight);
  auto tries = try_often(review, place);
  auto outcome = co_await async::with_timeout(clock_, deadline - clock_.now(),
                                              "create " + review.resource.qualified_plural(), std::move(tries));
  if (!outcome && place.is_lost()) co_return std::nullopt;
  flight->outcome = outcome;
  co_return outcome;
}

Task<std::string> Reviewer::try_often(const Review& review, Place& place) {
  ReviewRetries retries(random_);
  for (;;) {
    auto answer = co_await try_once(review, place);
    if (answer || place.is_lost()) co_return answer;
    const auto pause = retries.after(answer.error());
    if (!pause) co_return answer;
    auto lost = place.until_lost();
    const bool is_lost = co_await async::finish_within(clock_, *pause, std::move(lost));
    if (is_lost) co_return answer;
  }
}

Task<std::string> Reviewer::try_once(const Review& review, Place& place) {
  room_.wait_for_turn(place.visit());
  give_turns();
  while (!place.has_turn) {
    if (place.is_lost()) co_return transport_error("the request was displaced by another one");
    co_await place.changed().wait();
  }
  const Turn turn(*this, place);
  kube::ApiRequest request;
  request.verb = kube::Verb::kCreate;
  request.resource = review.resource;
  request.body = review.body;
  auto reply = co_await client_.send(std::move(request));
  if (!reply) co_return std::move(reply.error()).with_context("create " + review.resource.qualified_plural());
  co_return std::move(reply->body);
}

void Reviewer::give_turns() {
  const auto now = clock_.now();
  while (const auto visit = room_.next_turn(now)) {
    auto& place = *places_.at(*visit);
    place.has_turn = true;
    place.changed().notify_all();
  }
  if (opening_) return;
  const auto opens = room_.next_opening(now);
  if (opens) opening_ = clock_.call_at(*opens, [this] { open(); });
}

void Reviewer::open() {
  opening_.reset();
  give_turns();
}

}  // namespace keelson::access
