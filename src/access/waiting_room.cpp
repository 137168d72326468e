#include "src/access/waiting_room.hpp"

#include <algorithm>
#include <tuple>

namespace keelson::access {

WaitingRoom::Entered WaitingRoom::enter(const Asker& asker) {
  const auto client = clients_.try_emplace(asker.client).first;
  ++client->second.places;
  const auto visit = ++last_visit_;
  places_.emplace(visit, Place{asker.standing, client});
  if (places_.size() <= limits::kRequestsAwaitingReview) return {visit};
  const auto displaced = place_to_lose()->first;
  leave(displaced);
  return {visit, displaced};
}

void WaitingRoom::leave(Visit visit) {
  const auto found = places_.find(visit);
  if (found == places_.end()) return;
  end_turn(visit);
  const auto client = found->second.client;
  places_.erase(found);
  if (--client->second.places == 0) clients_.erase(client);
}

void WaitingRoom::wait_for_turn(Visit visit) {
  const auto found = places_.find(visit);
  if (found != places_.end()) found->second.state = State::kWaits;
}

std::optional<WaitingRoom::Visit> WaitingRoom::next_turn(async::TimePoint now) {
  if (turns_ >= limits::kReviewsAtOnce) return std::nullopt;
  auto best = places_.end();
  // The search begins with the newest request, so that among equals the newest wins.
  for (auto place = places_.end(); place != places_.begin();) {
    --place;
    if (!may_have_turn(place->second, now)) continue;
    if (best == places_.end() || goes_before(place->second, best->second)) best = place;
  }
  if (best == places_.end()) return std::nullopt;
  if (best->second.standing < Standing::kAuthenticated) unknown_.take(kRateOfUnknown, now);
  best->second.client->second.last_turn = ++last_turn_;
  count_turn(best->second, State::kHasTurn);
  return best->first;
}

std::optional<async::TimePoint> WaitingRoom::next_opening(async::TimePoint now) const {
  const auto opens = unknown_.opens_at(kRateOfUnknown);
  const auto waits = [](const auto& entry) { return entry.second.state == State::kWaits; };
  if (opens <= now || std::ranges::none_of(places_, waits)) return std::nullopt;
  return opens;
}

void WaitingRoom::end_turn(Visit visit) {
  const auto found = places_.find(visit);
  if (found == places_.end() || found->second.state != State::kHasTurn) return;
  count_turn(found->second, State::kIdle);
}

// A place without a turn always exists, because there are more places than turns.
WaitingRoom::Places::iterator WaitingRoom::place_to_lose() {
  auto worst = places_.end();
  for (auto place = places_.begin(); place != places_.end(); ++place) {
    if (place->second.state == State::kHasTurn) continue;
    if (worst == places_.end() || std::tuple(place->second.standing, worst->second.client->second.places) <
                                      std::tuple(worst->second.standing, place->second.client->second.places)) {
      worst = place;
    }
  }
  return worst;
}

bool WaitingRoom::may_have_turn(const Place& place, async::TimePoint now) const {
  if (place.state != State::kWaits || place.client->second.turns >= kTurnsOfClient) return false;
  if (place.standing == Standing::kKnown) return true;
  if (turns_of_unknown_ >= kTurnsOfUnknown) return false;
  if (place.standing == Standing::kAuthenticated) return true;
  if (unknown_.opens_at(kRateOfUnknown) > now) return false;
  return place.standing != Standing::kOpaque || turns_of_opaque_ < kTurnsOfOpaqueTokens;
}

bool WaitingRoom::goes_before(const Place& place, const Place& other) {
  if (place.standing != other.standing) return place.standing > other.standing;
  const auto& client = place.client->second;
  const auto& others = other.client->second;
  return std::tie(client.turns, client.last_turn) < std::tie(others.turns, others.last_turn);
}

// Changes the state to or from kHasTurn and updates the counters.
void WaitingRoom::count_turn(Place& place, State state) {
  place.state = state;
  const auto count = [state](std::size_t& turns) { state == State::kHasTurn ? ++turns : --turns; };
  count(turns_);
  count(place.client->second.turns);
  if (place.standing != Standing::kKnown) count(turns_of_unknown_);
  if (place.standing == Standing::kOpaque) count(turns_of_opaque_);
}

}  // namespace keelson::access
