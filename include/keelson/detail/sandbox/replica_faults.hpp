// Random faults for the replicas of a manager: replicas are killed, stopped, paused, disconnected and slow, renewals of
// the lease are lost, watches break, and the wall clock jumps by up to 4000 s.
//
// Example (test/examples/sandbox.cpp#replica_faults):
//   // Three minutes of faults, then one without: there was never a second writer, and a replica leads in the end.
//   bool survives_faults(controller::Definition definition, std::uint64_t seed) {
//     sandbox::ReplicaFaults faults({std::move(definition)}, seed);
//     faults.disturb(3min, [&] { /* what users change each second, in faults.replicas */ });
//     faults.repair();
//     faults.pass(1min);
//     return faults.most_writers() == 1 && faults.stale_writer().empty() && faults.replicas.leaders() == 1;
//   }
//
// The checks of this class cover leader election. Check the invariants of your controllers during the run with
// ApiServer::after_write on `replicas.server`, or afterward. Print the seed when a check fails: the same seed gives the
// same run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "keelson/detail/sandbox/replicas.hpp"

namespace keelson::sandbox {

class ReplicaFaults {
 public:
  // The seed determines the number of replicas, two or three. Webhooks are not registered, so that writes of users
  // succeed although replicas fail. Occupies ApiServer::before_write of `replicas.server`.
  ReplicaFaults(std::vector<controller::Definition> definitions, std::uint64_t seed, ApiServerOptions options = {});
  ReplicaFaults(const ReplicaFaults&) = delete;
  ReplicaFaults& operator=(const ReplicaFaults&) = delete;

  // Injects a fault in about 30 % of all seconds; each ends within 40 s. `each_second` makes the changes of users.
  // Returns with faults still active: call repair().
  void disturb(std::chrono::seconds time, const std::function<void()>& each_second);
  // Ends all faults except a wall clock that was set. Ended processes are started again.
  void repair();
  // Lets virtual time pass, in steps of 50 ms. Faults end when their time is over, and ended processes are started
  // again. Use it instead of Replicas::pass, which does neither.
  void pass(async::Duration time);

  // The highest number of replicas that could write at the same moment, observed every 50 ms. More than 1: leader
  // election has failed.
  [[nodiscard]] std::size_t most_writers() const { return most_writers_; }
  // A process that wrote after its successor had written, and the successor: "replica-0-1 after replica-1-2". Empty:
  // correct, because each process leads at most once. Leases and Events are not counted.
  [[nodiscard]] std::string stale_writer() const;
  // The number of processes that have written the Lease.
  [[nodiscard]] std::size_t leaders_so_far() const;

  Replicas replicas;
  base::Random random;  // for the changes of users; independent of the server's

 private:
  void harm(std::size_t index);
  void repair(std::size_t index);
  void repair_in_time(std::size_t index);
  [[nodiscard]] WriteFate fate_of(const RequestInfo& request);

  std::vector<async::TimePoint> repairs_;
  double losses_ = 0;
  std::size_t most_writers_ = 0;
};

}  // namespace keelson::sandbox
