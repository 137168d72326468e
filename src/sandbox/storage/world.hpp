// The shared state of the API server: clocks, random numbers, kinds, objects and watches.
#pragma once

#include <algorithm>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/schema/time.hpp"
#include "src/sandbox/storage/store.hpp"
#include "src/sandbox/storage/watch_hub.hpp"

namespace keelson::sandbox {

struct World {
  World(async::Clock& c, async::Clock& of_controllers, base::Random& r, async::Duration bookmark_period)
      : clock(c), controller_clock(of_controllers), random(r), watches(c, bookmark_period) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  async::Clock& clock;
  async::Clock& controller_clock;  // the clock of the controllers; may be faster
  const async::TimePoint started = clock.now();
  const async::TimePoint controllers_started = controller_clock.now();
  base::Random& random;
  Kinds kinds;
  Store store;
  WatchHub watches;
  bool is_whole_cluster = false;  // ApiServerOptions::has_cluster_objects; new Jobs get selectors and labels
  bool is_starting = false;  // the objects of a new cluster are written; they are valid, so the rules are not read yet
  bool has_admission = false;  // new objects get the fields of the admission plugins of a cluster
  bool has_controllers = false;

  // Converts a duration on the server's clock to the controllers' clock.
  [[nodiscard]] async::Duration on_controller_clock(async::Duration time) const {
    if (&clock == &controller_clock) return time;
    auto passed = std::chrono::duration<double>(clock.now() - started).count();
    auto of_controllers = std::chrono::duration<double>(controller_clock.now() - controllers_started).count();
    auto speed = passed > 0 ? of_controllers / passed : 1;
    return std::chrono::duration_cast<async::Duration>(std::chrono::duration<double>(time) * speed);
  }

  // The rest of `span` on the controllers' clock if it began at `time`; zero if it is over.
  [[nodiscard]] async::Duration left_since(kube::Time time, async::Duration span) const {
    auto passed = std::chrono::duration_cast<async::Duration>(clock.wall_now() - time);
    return std::max(async::Duration::zero(), span - on_controller_clock(passed));
  }

  // A metav1.Time, `later` from now.
  [[nodiscard]] std::string time_text(std::chrono::seconds later = {}) const {
    auto now = clock.wall_now() + later;
    return kube::format_time(std::chrono::time_point_cast<kube::Time::duration>(now));
  }
  [[nodiscard]] std::string random_suffix() {
    constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";  // those of rand.String of apimachinery
    std::string suffix;
    for (int i = 0; i < 5; ++i) {
      auto last = static_cast<std::int64_t>(kLetters.size()) - 1;
      suffix += kLetters[static_cast<std::size_t>(random.between(0, last))];
    }
    return suffix;
  }
};

}  // namespace keelson::sandbox
