// ReasonSets: the distinct sets of reasons for which keys are queued, each stored once for all keys that have it.
//
// After the first list a hundred thousand keys are queued for the same reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::limits {

// Reasons per queued key; further ones are dropped.
inline constexpr std::size_t kReasonsPerKey = 4;

// Distinct sets of reasons in a queue: kinds times events are some dozens.
inline constexpr std::size_t kReasonSets = 1000;

}  // namespace keelson::limits

namespace keelson::queue {

class ReasonSets {
 public:
  using Id = std::uint16_t;
  static constexpr Id kNone = 0;

  // Releases `id` and returns the set that also has `reason`: at most limits::kReasonsPerKey, without duplicates. If
  // this were a new set beyond limits::kReasonSets, the reason is dropped.
  [[nodiscard]] Id with(Id id, std::string_view reason);
  // Releases `id` and returns its reasons in the order in which they were added.
  [[nodiscard]] std::vector<std::string> take(Id id);

 private:
  struct Set {
    std::vector<std::string> reasons;
    std::size_t uses = 0;
  };
  void give_up(Id id);

  std::vector<Set> sets_{1};  // an unused set may be replaced; the first one is the empty set
};

}  // namespace keelson::queue
