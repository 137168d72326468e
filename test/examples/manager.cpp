// A manager of two services, which runs until SIGTERM.
#include "keelson/detail/lifecycle/manager.hpp"

#include "keelson/detail/async/signals.hpp"

namespace keelson::examples {

// [manager]
// Starts the server and then the cache, and stops them in the reverse order after SIGTERM, within 30 s.
Task<void> run_services(async::Clock& clock, Logger log, async::Runnable& server, async::Runnable& cache) {
  lifecycle::Manager manager(clock, std::move(log), std::chrono::seconds(30));
  manager.add(lifecycle::Group::kServers, server);
  manager.add(lifecycle::Group::kCaches, cache);
  auto ended = co_await manager.run(async::wait_for_stop_signal);
  co_return ended;
}
// [end]

}  // namespace keelson::examples
