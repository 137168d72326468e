// The cost of receiving and caching all Pods of the cluster of KUBECONFIG: cache_pods full|projected.
//
// Prints a line of numbers: objects, MB in the cache, CPU seconds to sync, RSS and peak in MB, peak over steady, and
// the maximum delay of a timer on the loop, in ms.
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "test/bench/cluster_client.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
namespace asio = boost::asio;

struct Measured {
  double cpu_seconds = 0;
  double wall_seconds = 0;
  double steady_mb = 0;
  double peak_mb = 0;
  async::Duration lag{0};
};

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// VmRSS, VmHWM; in millions of bytes.
double memory_mb(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::stod(line.substr(field.size() + 1)) * 1024 / 1e6;
  }
  return 0;
}

asio::awaitable<void> watch_lag(async::Clock& clock, async::Duration& worst) {
  for (;;) {
    auto due = clock.now() + 20ms;
    co_await async::sleep_until(clock, due);
    worst = std::max(worst, async::Duration(clock.now() - due));
  }
}

asio::awaitable<void> measure(async::Clock& clock, cache::Cache& cache, cache::Informer& pods, async::TaskGroup& lag,
                              Measured& measured) {
  // 5 resets the peak.
  std::ofstream("/proc/self/clear_refs") << 5;
  lag.spawn(watch_lag(clock, measured.lag));
  auto began = clock.now();
  auto before = cpu_seconds();
  auto started = co_await cache.start();
  if (!started) bench::ClusterClient::give_up(started.error());
  std::vector<cache::Informer*> all{&pods};
  co_await cache.wait_for_sync(all);
  measured.cpu_seconds = cpu_seconds() - before;
  measured.wall_seconds = std::chrono::duration<double>(clock.now() - began).count();
  lag.stop();
  co_await lag.join();
  co_await async::sleep_for(clock, 2s);
  measured.steady_mb = memory_mb("VmRSS");
  measured.peak_mb = memory_mb("VmHWM");
  co_await cache.stop();
}

}  // namespace

int main(int argc, char** argv) {
  bool is_projected = argc > 1 && std::string_view(argv[1]) == "projected";
  bench::ClusterClient cluster("bench-cache");
  auto cache = cache::make_cache(cluster.loop.get_executor(), *cluster.clock, cluster.random, cluster.log,
                                 *cluster.client, cluster.registry, {});
  cache::InformerOptions options;
  options.resource = kube::pods();
  // The Memcached controller's, without its selector.
  if (is_projected) options.content = json::Projection::of({{"status", "phase"}, {"status", "conditions"}});
  auto& pods = cache->declare(std::move(options));
  Measured measured;
  {
    async::TaskGroup tasks(cluster.loop.get_executor());
    async::TaskGroup lag(cluster.loop.get_executor());
    tasks.spawn(measure(*cluster.clock, *cache, pods, lag, measured));
    cluster.loop.run();
  }
  std::size_t bytes = 0;
  auto objects = pods.list();
  for (const auto& object : objects) bytes += object.block_bytes();
  std::printf("%-10s %7zu %9.1f %8.2f %8.2f %8.1f %8.1f %7.2f %7.1f\n", is_projected ? "projected" : "full",
              objects.size(), static_cast<double>(bytes) / 1e6, measured.cpu_seconds, measured.wall_seconds,
              measured.steady_mb, measured.peak_mb, measured.peak_mb / measured.steady_mb,
              std::chrono::duration<double, std::milli>(measured.lag).count());
}
