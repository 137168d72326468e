// The distinct sets of reasons for which keys are queued, each kept once, however many keys have it.
//
// After the first list a hundred thousand keys are queued for one and the same reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::queue {

class ReasonSets {
 public:
  using Id = std::uint16_t;
  static constexpr Id kNone = 0;

  // Gives up `id` for the set that has `reason` too: at most limits::kReasonsPerKey, each once. While there are
  // limits::kReasonSets others, a reason that would make one more is left out.
  [[nodiscard]] Id with(Id id, std::string_view reason);
  // The reasons in the order they came; `id` is given up.
  [[nodiscard]] std::vector<std::string> take(Id id);

 private:
  struct Set {
    std::vector<std::string> reasons;
    std::size_t uses = 0;
  };
  void give_up(Id id);

  std::vector<Set> sets_{1};  // an unused one may be replaced; the first is the empty set
};

}  // namespace keelson::queue
