// The status of a Hikawa from what is known of its song: plain decisions, no I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/kube/readiness.hpp"
#include "src/controllers/hikawa/hikawa_types.hpp"

namespace keelson::controllers {

// What keeps a Hikawa from its next word.
struct Hindrance {
  kube::Readiness readiness = kube::Readiness::kStalled;  // kReconciling: it goes away by itself
  std::string reason;
  std::string message;
};

// While it sings. `before`: conditions keep their transition times.
[[nodiscard]] HikawaStatus judge_singing(HikawaStatus before, std::int64_t said,
                                         const std::optional<Hindrance>& hindrance, std::int64_t generation,
                                         async::WallTime now);

// When it has sung. What was said stays said, whatever becomes of its Zundokos.
[[nodiscard]] HikawaStatus judge_sung(HikawaStatus before, std::int64_t generation, async::WallTime now);

}  // namespace keelson::controllers
