#include "src/access/waiting_room.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace keelson;
using namespace keelson::access;

namespace {

constexpr async::TimePoint kNow{std::chrono::hours(1)};
constexpr auto kPlaces = limits::kRequestsAwaitingReview;
const Asker kOpaqueAsker{Standing::kOpaque, "a"};
const Asker kUnknownAsker{Standing::kUnknown, "a"};
const Asker kOtherUnknown{Standing::kUnknown, "b"};
const Asker kKnownAsker{Standing::kKnown, "user jane"};

WaitingRoom::Visit line_up(WaitingRoom& room, const Asker& asker) {
  const auto visit = room.enter(asker).visit;
  room.wait_for_turn(visit);
  return visit;
}

std::vector<WaitingRoom::Visit> line_up_many(WaitingRoom& room, const Asker& asker, std::size_t count) {
  std::vector<WaitingRoom::Visit> visits;
  for (std::size_t number = 0; number < count; ++number) visits.push_back(line_up(room, asker));
  return visits;
}

std::size_t give_turns(WaitingRoom& room) {
  std::size_t given = 0;
  while (room.next_turn(kNow)) ++given;
  return given;
}

Asker unknown(std::size_t number) { return {Standing::kUnknown, "peer " + std::to_string(number)}; }

}  // namespace

TEST_CASE("turns are limited for each standing, and for each client") {
  struct Case {
    Standing standing;
    std::size_t clients;
    std::size_t turns;
  };
  const std::vector<Case> cases{
      {Standing::kOpaque, 1, kTurnsOfOpaqueTokens}, {Standing::kOpaque, 40, kTurnsOfOpaqueTokens},
      {Standing::kUnknown, 1, kTurnsOfClient},      {Standing::kUnknown, 40, kTurnsOfUnknown},
      {Standing::kKnown, 1, kTurnsOfClient},        {Standing::kKnown, 40, limits::kReviewsAtOnce},
  };
  for (const auto& [standing, clients, turns] : cases) {
    INFO(static_cast<int>(standing) << " of " << clients);
    WaitingRoom room;
    for (std::size_t number = 0; number < 80; ++number) {
      (void)line_up(room, {standing, std::to_string(number % clients)});
    }
    CHECK(give_turns(room) == turns);
  }
}

TEST_CASE("unknown and opaque tokens leave turns for known tokens, and opaque ones leave turns for unknown JWTs") {
  WaitingRoom room;
  (void)line_up_many(room, kOpaqueAsker, 40);
  CHECK(give_turns(room) == kTurnsOfOpaqueTokens);
  for (std::size_t number = 0; number < 40; ++number) (void)line_up(room, unknown(number));
  CHECK(give_turns(room) == kTurnsOfUnknown - kTurnsOfOpaqueTokens);

  const auto known = line_up(room, kKnownAsker);

  CHECK(room.next_turn(kNow) == known);
}

TEST_CASE(
    "the request of the best standing is first, then that of the client with the fewest reviews in progress, then its "
    "newest") {
  WaitingRoom room;
  const auto busy = line_up_many(room, kUnknownAsker, 3);
  CHECK(room.next_turn(kNow) == busy[2]);
  const auto opaque = line_up(room, {Standing::kOpaque, "c"});
  const auto other = line_up(room, kOtherUnknown);
  const auto known = line_up(room, kKnownAsker);

  CHECK(room.next_turn(kNow) == known);
  CHECK(room.next_turn(kNow) == other);
  CHECK(room.next_turn(kNow) == busy[1]);
  CHECK(room.next_turn(kNow) == busy[0]);
  CHECK(room.next_turn(kNow) == opaque);
  CHECK(room.next_turn(kNow) == std::nullopt);
}

TEST_CASE("clients with equally many reviews under way take turns") {
  WaitingRoom room;
  (void)line_up_many(room, kUnknownAsker, 3);
  (void)line_up_many(room, kOtherUnknown, 3);
  std::vector<WaitingRoom::Visit> order;

  while (const auto visit = room.next_turn(kNow)) {
    order.push_back(*visit);
    room.end_turn(*visit);
  }

  CHECK(order == std::vector<WaitingRoom::Visit>{6, 3, 5, 2, 4, 1});
}

TEST_CASE("when all places are taken, a request of the lowest standing loses its place first") {
  struct Case {
    Asker inside;
    Asker comes;
    bool enters;
  };
  const std::vector<Case> cases{
      {kOpaqueAsker, kUnknownAsker, true},  {kOpaqueAsker, kKnownAsker, true},   {kUnknownAsker, kKnownAsker, true},
      {kUnknownAsker, kOpaqueAsker, false}, {kKnownAsker, kUnknownAsker, false}, {kOpaqueAsker, kOpaqueAsker, true},
      {kUnknownAsker, kOtherUnknown, true}, {kKnownAsker, kKnownAsker, true},
  };
  for (const auto& [inside, comes, enters] : cases) {
    INFO(static_cast<int>(inside.standing) << " " << static_cast<int>(comes.standing));
    WaitingRoom room;
    const auto visits = line_up_many(room, inside, kPlaces);
    const auto entered = room.enter(comes);
    CHECK(entered.displaced == (enters ? visits.front() : entered.visit));
    CHECK(room.size() == kPlaces);
  }
}

TEST_CASE("when all places are taken, the client with the most places loses its oldest one") {
  WaitingRoom room;
  const auto few = line_up_many(room, kOtherUnknown, 10);
  const auto many = line_up_many(room, kUnknownAsker, kPlaces - 10);

  CHECK(room.enter(kOtherUnknown).displaced == many[0]);
  CHECK(room.enter(kUnknownAsker).displaced == many[1]);
  CHECK(room.enter(unknown(1)).displaced == many[2]);
  CHECK(room.size() == kPlaces);
}

TEST_CASE("a flood from one client never takes a place from a client that has fewer") {
  WaitingRoom room;
  const auto quiet = line_up_many(room, kOtherUnknown, 5);

  for (int number = 0; number < 10000; ++number) {
    const auto displaced = room.enter(kUnknownAsker).displaced;
    if (displaced) CHECK(*displaced > quiet.back());
  }

  CHECK(room.size() == kPlaces);
  CHECK(room.clients() == 2);
}

TEST_CASE("a request with a review under way does not lose its place") {
  WaitingRoom room;
  const auto visits = line_up_many(room, kUnknownAsker, kPlaces);
  const auto turn = room.next_turn(kNow);
  REQUIRE(turn == visits.back());

  for (std::size_t number = 0; number < 2 * kPlaces; ++number) CHECK(room.enter(kKnownAsker).displaced != turn);
}

TEST_CASE("a request that leaves gives up its place and turn, and its client is forgotten") {
  WaitingRoom room;
  const auto visits = line_up_many(room, kUnknownAsker, kTurnsOfClient + 1);
  REQUIRE(give_turns(room) == kTurnsOfClient);

  room.leave(visits.back());
  CHECK(give_turns(room) == 1);
  for (const auto visit : visits) room.leave(visit);
  room.leave(visits.front());

  CHECK(room.size() == 0);
  CHECK(room.clients() == 0);
  (void)line_up_many(room, kUnknownAsker, kPlaces);
  CHECK(give_turns(room) == kTurnsOfClient);
}

TEST_CASE("a client is stored while it has a place") {
  WaitingRoom room;
  const auto visits = line_up_many(room, kUnknownAsker, 2);

  room.leave(visits[0]);
  CHECK(room.clients() == 1);
  room.leave(visits[1]);
  CHECK(room.clients() == 0);

  room.leave(line_up(room, kOtherUnknown));
  CHECK(room.clients() == 0);
}

TEST_CASE("a request that lost its place has no turn") {
  WaitingRoom room;
  const auto entered = room.enter(kOpaqueAsker);
  for (std::size_t number = 0; number < kPlaces; ++number) (void)room.enter(kUnknownAsker);

  room.wait_for_turn(entered.visit);
  room.end_turn(entered.visit);

  CHECK(room.next_turn(kNow) == std::nullopt);
}

TEST_CASE("reviews for unknown requests are rate-limited, reviews for known ones are not") {
  WaitingRoom room;
  auto now = kNow;
  for (int turn = 0; turn < kRateOfUnknown.burst; ++turn) {
    CHECK_FALSE(room.next_opening(now));
    line_up(room, turn % 2 == 0 ? kUnknownAsker : kOpaqueAsker);
    const auto given = room.next_turn(now);
    REQUIRE(given);
    room.leave(*given);
  }
  CHECK_FALSE(room.next_opening(now));

  const auto known = line_up(room, kKnownAsker);
  const auto authenticated = line_up(room, {Standing::kAuthenticated, "user joe"});
  const auto unknown = line_up(room, kUnknownAsker);
  CHECK(room.next_opening(now) == now + kRateOfUnknown.interval);
  CHECK(room.next_turn(now) == known);
  CHECK(room.next_turn(now) == authenticated);
  CHECK_FALSE(room.next_turn(now));
  now += kRateOfUnknown.interval - std::chrono::nanoseconds(1);
  CHECK_FALSE(room.next_turn(now));
  now += std::chrono::nanoseconds(1);
  CHECK(room.next_turn(now) == unknown);
  CHECK_FALSE(room.next_opening(now));
}
