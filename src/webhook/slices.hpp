// Processes megabytes in time slices.
#pragma once

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/async/time_slice.hpp"

namespace keelson::webhook {

// The bytes that are read between two checks of the clock: about 0.2 ms.
inline constexpr std::size_t kReviewStepBytes = std::size_t{64} << 10;

// Calls `work.advance(bytes)` until it is done or fails, and yields the loop at the end of each time slice. `work` must
// outlive the coroutine.
template <class Work>
[[nodiscard]] Task<void> in_slices(async::Clock& clock, Work& work) {
  async::TimeSlice slice(clock);
  for (;;) {
    KEELSON_CO_LET(auto done, work.advance(kReviewStepBytes));
    if (done) co_return Result<void>();
    slice.spend(kReviewStepBytes);
    if (slice.is_over()) co_await slice.yield();
  }
}

}  // namespace keelson::webhook
