// ReconcileNotes: the slowest keys of a controller and its last failures, in fixed memory, without I/O.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/controller/controller.hpp"

namespace keelson::limits {

// The bytes of an error text.
inline constexpr std::size_t kNotedErrorBytes = 300;

}  // namespace keelson::limits

namespace keelson::controller {

class ReconcileNotes {
 public:
  // The last reconcile of `key` took `lasted` and failed with `error`, or succeeded if it is null. Compares the key
  // with at most limits::kNotedKeys others.
  void observe(std::string_view key, async::Duration lasted, const Error* error, async::TimePoint now);

  // The slowest first, by the last duration of each key. A duration of more than an hour ago is dropped.
  [[nodiscard]] std::vector<SlowKey> slowest(async::TimePoint now) const;
  // Keys that failed and have not succeeded since, the latest failure first; without `retries`.
  [[nodiscard]] std::vector<FailingKey> failing(async::TimePoint now) const;

 private:
  template <class Noted>
  struct Note {
    Noted noted;
    async::TimePoint at;
  };
  void note_duration(std::string_view key, async::Duration lasted, async::TimePoint now);
  void note_result(std::string_view key, const Error* error, async::TimePoint now);

  std::vector<Note<SlowKey>> slowest_;
  std::vector<Note<FailingKey>> failing_;  // the oldest first
};

}  // namespace keelson::controller
