#include "keelson/detail/sandbox/replica_faults.hpp"

#include <algorithm>
#include <set>

namespace keelson::sandbox {
using namespace std::chrono_literals;

namespace {

// Makes the changes of users independent of the random numbers of the server.
constexpr std::uint64_t kOtherSeed = 1'000'000;

bool is_of_replica(const RequestInfo& request) {
  return request.is_write() && request.code >= 200 && request.code < 300 && request.user.starts_with("replica-");
}

}  // namespace

ReplicaFaults::ReplicaFaults(std::vector<controller::Definition> definitions, std::uint64_t seed,
                             ApiServerOptions options)
    : replicas(std::move(definitions),
               {.count = 2 + seed % 2, .seed = seed, .server = std::move(options), .has_webhooks = false}),
      random(seed + kOtherSeed),
      repairs_(replicas.count()) {
  replicas.server.before_write([this](const RequestInfo& request) { return fate_of(request); });
}

void ReplicaFaults::disturb(std::chrono::seconds time, const std::function<void()>& each_second) {
  for (auto second = 0s; second < time; ++second) {
    each_second();
    // The fault hits in the middle of the work that these changes cause.
    pass(random.between(0, 100) * 1ms);
    const auto last = static_cast<std::int64_t>(replicas.count()) - 1;
    if (random.unit() < 0.3) harm(static_cast<std::size_t>(random.between(0, last)));
    pass(900ms);
  }
}

void ReplicaFaults::repair() {
  losses_ = 0;
  for (std::size_t index = 0; index < replicas.count(); ++index) repair(index);
}

void ReplicaFaults::pass(async::Duration time) {
  auto& clock = replicas.loop.clock();
  for (auto end = clock.now() + time; clock.now() < end;) {
    replicas.pass(std::min<async::Duration>(50ms, end - clock.now()));
    most_writers_ = std::max(most_writers_, replicas.writers());
    for (std::size_t index = 0; index < replicas.count(); ++index) repair_in_time(index);
  }
}

std::string ReplicaFaults::stale_writer() const {
  std::set<std::string> gone;
  std::string last;
  for (const auto& request : replicas.server.log()) {
    const bool counts =
        is_of_replica(request) && request.resource != kube::leases() && request.resource != kube::core_events();
    if (!counts || request.user == last) continue;
    if (gone.contains(request.user)) return request.user + " after " + last;
    gone.insert(last);
    last = request.user;
  }
  return "";
}

std::size_t ReplicaFaults::leaders_so_far() const {
  std::set<std::string> all;
  for (const auto& request : replicas.server.log()) {
    if (request.resource == kube::leases() && request.is_write() && request.code < 300) all.insert(request.user);
  }
  return all.size();
}

void ReplicaFaults::harm(std::size_t index) {
  auto& replica = replicas.at(index);
  auto& clock = replicas.loop.clock();
  repairs_[index] = clock.now() + random.between(1, 40) * 1s;
  switch (random.between(0, 8)) {
    case 0:
      return replica.kill();
    case 1:
      return replica.stop();
    case 2:
    case 3:
      return replica.pause();
    case 4:
    case 5:
      return replica.cut_off();
    case 6:
      return replica.set_latency(random.between(1, 3000) * 1ms);
    case 7:
      losses_ = random.unit() * 0.7;
      return replicas.server.drop_watches();
    default:
      return clock.set_wall(clock.wall_now() + random.between(-4000, 4000) * 1s);
  }
}

void ReplicaFaults::repair(std::size_t index) {
  auto& replica = replicas.at(index);
  replica.connect();
  replica.set_latency(kUsualLatency);
  replica.resume();
  repairs_[index] = {};
}

// Repairs the fault at its time; this also restarts a process that has ended.
void ReplicaFaults::repair_in_time(std::size_t index) {
  static_cast<void>(replicas.at(index));
  if (repairs_[index] != async::TimePoint{} && replicas.loop.clock().now() >= repairs_[index]) repair(index);
}

WriteFate ReplicaFaults::fate_of(const RequestInfo& request) {
  if (request.resource != kube::leases() || random.unit() >= losses_) return WriteFate::kProceeds;
  return random.unit() < 0.5 ? WriteFate::kLost : WriteFate::kReplyLost;
}

}  // namespace keelson::sandbox
