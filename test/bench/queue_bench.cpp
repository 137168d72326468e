// The number of keys a second that the work queue adds, hands out and takes back, and the memory of a key.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "keelson/detail/queue/work_queue.hpp"
#include "src/queue/queue_policy.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;

constexpr std::size_t kKeys = 1'000'000;

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages >> pages;
  return pages * 4096;
}

template <class Work>
void measure(const char* what, std::size_t operations, Work work) {
  auto begun = std::chrono::steady_clock::now();
  work();
  auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%-48s %8.2f million a second\n", what, static_cast<double>(operations) / seconds / 1e6);
}

std::vector<std::string> make_keys() {
  std::vector<std::string> keys;
  keys.reserve(kKeys);
  for (std::size_t i = 0; i < kKeys; ++i) {
    keys.push_back("namespace-" + std::to_string(i % 100) + "/object-" + std::to_string(i));
  }
  return keys;
}

}  // namespace

int main() {
  auto keys = make_keys();
  auto now = async::TimePoint(1s);
  queue::QueuePolicy policy{{}};
  auto before = resident_bytes();

  measure("add a new key with a low priority", kKeys, [&] {
    for (const auto& key : keys) policy.add(key, {.priority = queue::kLowPriority, .reason = "Memcached added"}, now);
  });
  std::printf("%-48s %8zu bytes\n", "memory a queued key", (resident_bytes() - before) / kKeys);
  measure("add it again with a higher priority", kKeys, [&] {
    for (const auto& key : keys) policy.add(key, {.priority = 0, .reason = "Memcached added"}, now);
  });
  measure("hand out and take back", kKeys, [&] {
    while (auto item = policy.pick(now)) policy.done(item->key, now);
  });
  measure("add with a delay", kKeys, [&] {
    for (std::size_t i = 0; i < kKeys; ++i) policy.add_at(keys[i], {}, now + 1ms * ((i * 7919) % kKeys));
  });
  measure("release after the delay", kKeys, [&] { policy.release_due(now + 1h, kKeys); });
  measure("hand out, fail, forget, take back", kKeys, [&] {
    while (auto item = policy.pick(now)) {
      (void)policy.next_delay(item->key);
      policy.forget(item->key);
      policy.done(item->key, now);
    }
  });
  return policy.keys() == 0 ? 0 : 1;
}
