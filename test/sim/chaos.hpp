// What befalls the replicas of a manager, on any seed: they are killed, stopped, cut off and slow, renewals are lost,
// watches dropped, and the wall clock jumps. Two of them must never write.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "test/sim/replicas.hpp"

namespace keelson::test {

// Of a variable of the environment: scripts/sim says with them which seeds to run.
[[nodiscard]] std::uint64_t number_of(const char* variable, std::uint64_t otherwise);

class Chaos {
 public:
  Chaos(std::uint64_t seed, std::vector<controller::Definition> definitions, sandbox::ServerOptions options = {});

  // Something bad in a third of all seconds, and a user who wants something else each second.
  void rage(int seconds, const std::function<void()>& ask);
  // Ends all that is wrong.
  void calm();
  void step(async::Duration time);

  // Each life of a replica leads once: who wrote again after another had written was not fenced.
  [[nodiscard]] std::string who_came_back() const;
  // How many held the lease.
  [[nodiscard]] std::size_t reigns() const;

  // As a user; fails the test when the server refuses.
  void create(const kube::Resource& resource, const std::string& object);
  void patch(const kube::Resource& resource, const std::string& name, const std::string& merge_patch);

  Replicas world;
  base::Random chance;
  std::size_t most_writers = 0;  // at one moment

 private:
  void harm(std::size_t replica);
  void mend(std::size_t replica);
  void mend_in_time(std::size_t replica);
  [[nodiscard]] sandbox::WriteFate fate_of(const sandbox::RequestInfo& request);

  std::vector<async::TimePoint> mends_;
  double losses_ = 0;
};

}  // namespace keelson::test
