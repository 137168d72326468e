// Faults by seed for the replicas of a manager: they are killed, stopped, paused, cut off and slow, renewals of the
// lease are lost, watches break, and the wall clock jumps.
//
//   sandbox::ReplicaFaults faults({website()}, seed);
//   faults.disturb(3min, [&] { REQUIRE(faults.replicas.patch(…)); });
//   faults.repair();
//   faults.pass(1min);
//   CHECK(faults.most_writers() == 1);
//   CHECK(faults.stale_writer() == "");
//   CHECK(faults.replicas.leaders() == 1);
//
// What your controllers promise is for you to check, by ApiServer::after_write on `replicas.server` or afterward. Print
// the seed when a check fails: the same seed gives the same run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "keelson/sandbox/replicas.hpp"

namespace keelson::sandbox {

class ReplicaFaults {
 public:
  // Two or three replicas, by the seed. Webhooks are not registered: writes of users succeed although replicas fail.
  ReplicaFaults(std::vector<controller::Definition> definitions, std::uint64_t seed, ServerOptions options = {});
  ReplicaFaults(const ReplicaFaults&) = delete;
  ReplicaFaults& operator=(const ReplicaFaults&) = delete;

  // A fault in about a third of all seconds; each ends within 40 s. `each_second` is where users ask for something
  // else.
  void disturb(std::chrono::seconds time, const std::function<void()>& each_second);
  // Ends all faults.
  void repair();
  // Lets time pass, while faults end and processes that have ended start again.
  void pass(async::Duration time);

  // The most replicas that could write at one moment: 1, or leader election has failed.
  [[nodiscard]] std::size_t most_writers() const { return most_writers_; }
  // A process that wrote again after another one had, and that one: "replica-0-1 after replica-1-2". Empty: there is
  // none, since each process leads at most once.
  [[nodiscard]] std::string stale_writer() const;
  // How many processes have held the lease.
  [[nodiscard]] std::size_t leaders_so_far() const;

  Replicas replicas;
  base::Random random;  // for what users do; not that of the server

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
