#include "src/queue/reason_sets.hpp"

#include <algorithm>

namespace keelson::queue {

namespace {

bool is_one_more(const std::vector<std::string>& longer, const std::vector<std::string>& reasons,
                 std::string_view reason) {
  return longer.size() == reasons.size() + 1 && longer.back() == reason &&
         std::equal(reasons.begin(), reasons.end(), longer.begin());
}

}  // namespace

ReasonSets::Id ReasonSets::with(Id id, std::string_view reason) {
  const auto& reasons = sets_[id].reasons;
  if (reason.empty() || reasons.size() >= limits::kReasonsPerKey) return id;
  if (std::ranges::find(reasons, reason) != reasons.end()) return id;
  std::size_t place = sets_.size();
  for (std::size_t other = 1; other < sets_.size(); ++other) {
    if (sets_[other].uses == 0) place = other;
    if (sets_[other].uses == 0 || !is_one_more(sets_[other].reasons, reasons, reason)) continue;
    ++sets_[other].uses;
    give_up(id);
    return static_cast<Id>(other);
  }
  if (place > limits::kReasonSets) return id;
  Set made{reasons, 1};
  made.reasons.emplace_back(reason);
  give_up(id);
  if (place == sets_.size()) sets_.emplace_back();
  sets_[place] = std::move(made);
  return static_cast<Id>(place);
}

std::vector<std::string> ReasonSets::take(Id id) {
  auto reasons = sets_[id].reasons;
  give_up(id);
  return reasons;
}

void ReasonSets::give_up(Id id) {
  if (id != kNone) --sets_[id].uses;
}

}  // namespace keelson::queue
