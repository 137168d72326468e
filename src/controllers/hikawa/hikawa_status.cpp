#include "src/controllers/hikawa/hikawa_status.hpp"

#include <utility>

namespace keelson::controllers {

HikawaStatus judge_singing(HikawaStatus before, std::int64_t said, const std::optional<Hindrance>& hindrance,
                           std::int64_t generation, async::WallTime now) {
  before.num_zundokos_said = said;
  before.observed_generation = generation;
  auto state = hindrance.value_or(Hindrance{kube::Readiness::kReconciling, "Singing", "The song goes on."});
  kube::set_readiness(before.conditions, state.readiness, std::move(state.reason), std::move(state.message), generation,
                      now);
  return before;
}

HikawaStatus judge_sung(HikawaStatus before, std::int64_t generation, async::WallTime now) {
  before.kiyoshied = true;
  before.observed_generation = generation;
  kube::set_readiness(before.conditions, kube::Readiness::kReady, "Kiyoshied", "The song is over.", generation, now);
  return before;
}

}  // namespace keelson::controllers
