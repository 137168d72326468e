// Mistakes of an operator that a simulation has found: the text of each has what failed, on what object, and the fix.
//
// A problem fails `eventually` of SimulatedCluster and Replicas. simulated_cluster.hpp lists what is a problem.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace keelson::sandbox {

struct Problem {
  std::string text;       // "apply Service default/web: …: field not declared in schema (did you mean targetPort?)"
  std::size_t times = 1;  // how often it occurred
};

class Problems {
 public:
  // Counts a problem with a known text again. After kMost different ones, further ones are dropped.
  void add(std::string text);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  // In the order of their first occurrence.
  [[nodiscard]] const std::vector<Problem>& all() const { return all_; }

  static constexpr std::size_t kMost = 100;

 private:
  std::vector<Problem> all_;
};

}  // namespace keelson::sandbox
