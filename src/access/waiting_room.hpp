// Decides which requests wait for a review by the API server, and which of them is next, as plain code.
//
// Random tokens cost their sender nothing, and each costs a review. Therefore places and turns are shared:
// - Requests with a token that passed within the last hour go first, and some turns are reserved for them.
// - Opaque tokens (no JWTs) have few turns: a cluster may accept them, but most clusters never see one.
// - Requests of the same standing are shared by client: the one with the fewest reviews under way goes first, and when
//   all places are taken, the one with the most places loses one.
// - Reviews for tokens that are not known begin at a limited rate: a flood must not become one of the API server.
// - The newest request of a client goes first and its oldest one loses its place: under a flood the oldest requests
//   have no time left, and reviews for them would be wasted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "keelson/async/token_bucket.hpp"
#include "keelson/base/limits.hpp"

namespace keelson::access {

// Reviews under way at once for requests that are not known. The other turns are for those that are: when the API
// server is slow, a flood holds each of its turns for up to limits::kReviewTime.
inline constexpr std::size_t kTurnsOfUnknown = limits::kReviewsAtOnce - 4;
// For opaque tokens, of these.
inline constexpr std::size_t kTurnsOfOpaqueTokens = 2;
// For one client: half of those of unknown tokens, so that a second client need not wait until a slow review ends.
inline constexpr std::size_t kTurnsOfClient = kTurnsOfUnknown / 2;

// Of reviews for tokens that are not known. Scrapers are a handful, and each needs one in an hour; a flood would get
// some 900 a second from the API server.
inline constexpr async::Rate kRateOfUnknown{std::chrono::milliseconds(20), 50};

// The lowest first.
enum class Standing {
  kOpaque,         // an opaque token that is not known
  kUnknown,        // a JWT that is not known
  kAuthenticated,  // a user who has just been authenticated, which nobody can claim at will
  kKnown,          // a token that passed within the last hour
};

struct Asker {
  Standing standing = Standing::kOpaque;
  std::string client;  // the user once there is one, before that the peer's address
};

class WaitingRoom {
 public:
  using Visit = std::uint64_t;

  struct Entered {
    Visit visit;
    // The visit that lost its place, possibly this one. It has left.
    std::optional<Visit> displaced{};
  };
  // Takes a place, of limits::kRequestsAwaitingReview; it is kept while the review is under way.
  [[nodiscard]] Entered enter(const Asker& asker);
  // Gives up the place, and the turn. Nothing if it was displaced.
  void leave(Visit visit);

  void wait_for_turn(Visit visit);
  // The visit whose turn it is now, if there is a turn for any; nothing displaces it until it ends its turn.
  [[nodiscard]] std::optional<Visit> next_turn(async::TimePoint now);
  // When there may be turns for requests that are not known, as far as their rate goes; nothing if it allows one now,
  // or while nobody waits.
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
  std::size_t turns_of_unknown_ = 0;  // opaque ones included
  std::size_t turns_of_opaque_ = 0;
  async::TokenBucket unknown_;
  Visit last_visit_ = 0;
  std::uint64_t last_turn_ = 0;
};

}  // namespace keelson::access
