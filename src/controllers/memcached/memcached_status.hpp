// The status of a Memcached from what can be seen of it: plain decisions, no I/O.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/controllers/memcached/memcached_types.hpp"

namespace keelson::controllers {

// What was seen of the world of one Memcached.
struct MemcachedFacts {
  std::int64_t generation = 0;
  int size = 0;
  std::string selector;
  std::vector<std::string> nodes;  // names of its pods, terminating and finished ones left out
  int ready_nodes = 0;
  bool rolled_out = false;  // the Deployment says that every replica is of its newest template and none is left over
  std::string failure;      // why the Deployment cannot make progress, or empty
  std::optional<kube::Claim> trouble;  // what keeps a child from being as it should be
};

struct MemcachedVerdict {
  MemcachedStatus status;
  // Something is wrong now that time alone does not mend, and was not before: written at once.
  bool turns_bad = false;
  // All is well, and nothing is about to change: written at once. Otherwise the next step is waited for, a second at
  // most.
  bool is_settled = false;
};

// `before` is the status that is there: conditions keep their transition times.
[[nodiscard]] MemcachedVerdict judge_memcached(const MemcachedStatus& before, MemcachedFacts facts,
                                               async::WallTime now);

}  // namespace keelson::controllers
