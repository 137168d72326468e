// Decides which requests wait for a review by the API server, and which of them is next, without I/O.
//
// A random token costs its sender nothing but costs a review. Therefore places and turns are shared:
// - Requests with a token that passed within the last hour go first, and some turns are reserved for them.
// - Opaque tokens (no JWTs) have few turns: a cluster may accept them, but most clusters never see one.
// - Requests of the same standing are shared by client: the client with the fewest reviews in progress goes first, and
//   when all places are taken, the client with the most places loses one.
// - Reviews of unknown tokens begin at a limited rate: a flood must not reach the API server.
// - The newest request of a client goes first and its oldest one loses its place: under a flood the oldest requests
//   have no time left, and reviews for them would be wasted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "keelson/detail/async/token_bucket.hpp"
#include "keelson/detail/net/server_budget.hpp"

namespace keelson::limits {

// The number of concurrent reviews, because random tokens must not exhaust the connections that controllers need.
inline constexpr std::size_t kReviewsAtOnce = 16;

// Requests that wait for a review: half of a server's connections. While the API server is unreachable, unknown tokens
// must leave room for the cached ones.
inline constexpr std::size_t kRequestsAwaitingReview = (kServerOwnConnections + kServerSharedConnections) / 2;

}  // namespace keelson::limits

namespace keelson::access {

// Concurrent reviews for unknown requests. The other turns are for known requests: while the API server is slow, a
// flood holds each of its turns for up to limits::kReviewTime.
inline constexpr std::size_t kTurnsOfUnknown = limits::kReviewsAtOnce - 4;
// The part of these for opaque tokens.
inline constexpr std::size_t kTurnsOfOpaqueTokens = 2;
// For each client: half of the turns of unknown tokens, so that a second client does not wait for a slow review.
inline constexpr std::size_t kTurnsOfClient = kTurnsOfUnknown / 2;

// The rate of reviews for unknown tokens. There are few scrapers, and each needs one review in an hour; without a limit
// a flood would cause some 900 a second.
inline constexpr async::Rate kRateOfUnknown{std::chrono::milliseconds(20), 50};

// The lowest first.
enum class Standing {
  kOpaque,         // an unknown opaque token
  kUnknown,        // an unknown JWT
  kAuthenticated,  // a user that has just been authenticated, which a client cannot forge
  kKnown,          // a token that passed within the last hour
};

struct Asker {
  Standing standing = Standing::kOpaque;
  std::string client;  // the authenticated user; before authentication the peer's address
};

class WaitingRoom {
 public:
  using Visit = std::uint64_t;

  struct Entered {
    Visit visit;
    // The visit that lost its place, possibly this one. It has left.
    std::optional<Visit> displaced{};
  };
  // Takes a place, of limits::kRequestsAwaitingReview; the request has it until the end of its review.
  [[nodiscard]] Entered enter(const Asker& asker);
  // Gives up the place and the turn. No effect if the request was displaced.
  void leave(Visit visit);

  void wait_for_turn(Visit visit);
  // The visit whose turn it is now, if a turn is available; it cannot be displaced until it ends its turn.
  [[nodiscard]] std::optional<Visit> next_turn(async::TimePoint now);
  // When the rate of unknown requests allows the next turn; nullopt if it allows one now, or if no request waits.
  [[nodiscard]] std::optional<async::TimePoint> next_opening(async::TimePoint now) const;
  void end_turn(Visit visit);

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] std::size_t clients() const { return clients_.size(); }

 private:
  struct Client {
    std::size_t places = 0;
    std::size_t turns = 0;
    std::uint64_t last_turn = 0;
  };
  using Clients = std::map<std::string, Client>;
  enum class State { kIdle, kWaits, kHasTurn };
  struct Place {
    Standing standing;
    Clients::iterator client;
    State state = State::kIdle;
  };
  using Places = std::map<Visit, Place>;  // the oldest first

  [[nodiscard]] Places::iterator place_to_lose();
  [[nodiscard]] bool may_have_turn(const Place& place, async::TimePoint now) const;
  [[nodiscard]] static bool goes_before(const Place& place, const Place& other);
  void count_turn(Place& place, State state);

  Places places_;
  Clients clients_;  // those with places
  std::size_t turns_ = 0;
  std::size_t turns_of_unknown_ = 0;  // including opaque tokens
  std::size_t turns_of_opaque_ = 0;
  async::TokenBucket unknown_;
  Visit last_visit_ = 0;
  std::uint64_t last_turn_ = 0;
};

}  // namespace keelson::access
