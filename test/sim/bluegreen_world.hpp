// A simulated world with one BlueGreen, demo, that notes every change of its Service's selector.
#pragma once

#include <string>

#include "src/controllers/bluegreen/bluegreen_types.hpp"
#include "test/sim/world.hpp"

namespace keelson::test {

inline const kube::Key kDemo("default", "demo");
inline const kube::Key kBlueDeployment("default", "demoblue-deployment");
inline const kube::Key kGreenDeployment("default", "demogreen-deployment");

// A PodSpec with one container.
[[nodiscard]] std::string pods(const std::string& name, const std::string& image);

class BlueGreenWorld : public World {
 public:
  explicit BlueGreenWorld(std::uint64_t seed = 1);

  // demo with both colours; `more` follows in its spec.
  void apply(const std::string& colour, const std::string& more = "");
  void route_to(const std::string& colour);
  // Writes what the schema of today refuses; objects from before a schema may have it.
  void patch_against_schema(const std::string& patch);
  // To the other colour, whose pods are of a new image: what a release is.
  void switch_with_new_pods(int release);
  // Something that happens in clusters, picked by chance.
  void disturb(base::Random& chance, int step);

  [[nodiscard]] std::string wanted();      // routeTo
  [[nodiscard]] std::string served();      // what the Service selects; empty: no Service
  [[nodiscard]] std::string told_route();  // status.routeTo
  // The newest generation is observed, traffic goes to the colour, and Ready says so.
  [[nodiscard]] bool is_ready(const std::string& colour);
  [[nodiscard]] bool is_progressing();
  [[nodiscard]] std::string condition(std::string_view type);  // "True Serving"; empty: absent
  [[nodiscard]] std::string message(std::string_view type);
  [[nodiscard]] std::int64_t ready_replicas(std::string_view member);  // of the status; -1: absent
  [[nodiscard]] bool exists(const kube::Resource& resource, const kube::Key& key);
  [[nodiscard]] std::string image_of(const kube::Key& deployment);
  [[nodiscard]] std::size_t events(const std::string& reason) const;

  // Notes changes of the selector from now on, also those that a new Service brings.
  void watch_switches();
  [[nodiscard]] std::size_t switches() const { return switches_; }
  // Those that went to a colour of which no pod was ready at that moment.
  [[nodiscard]] const std::string& bad_switches() const { return bad_switches_; }

 private:
  [[nodiscard]] bool has_ready_pod(const std::string& colour) const;

  std::size_t switches_ = 0;
  std::string last_selected_;  // stays when the Service is deleted
  std::string bad_switches_;
};

}  // namespace keelson::test
