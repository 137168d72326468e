// A simulated cluster with a BlueGreen, demo, that records every change of its Service's selector.
#pragma once

#include <string>

#include "src/kinds/bluegreen/bluegreen.hpp"
#include "test/sim/cluster_with_user.hpp"

namespace keelson::testing {

inline const kube::Key kDemo("default", "demo");
inline const kube::Key kBlueDeployment("default", "demoblue-deployment");
inline const kube::Key kGreenDeployment("default", "demogreen-deployment");

// A PodSpec with one container.
[[nodiscard]] std::string pods(const std::string& name, const std::string& image);

class BlueGreenWorld : public ClusterWithUser {
 public:
  explicit BlueGreenWorld(std::uint64_t seed = 1);

  // Creates demo with both colors; `more` follows in its spec.
  void apply(const std::string& color, const std::string& more = "");
  void route_to(const std::string& color);
  // Writes what today's schema rejects. Objects that are older than the schema may have it.
  void patch_against_schema(const std::string& patch);
  // Switches to the other color with a new image for its pods, as a release does.
  void switch_with_new_pods(int release);
  // A random event of those that happen in clusters.
  void disturb(base::Random& chance, int step);

  [[nodiscard]] std::string wanted();      // routeTo
  [[nodiscard]] std::string served();      // the color that the Service selects; empty: no Service
  [[nodiscard]] std::string told_route();  // status.routeTo
  // The newest generation is observed, traffic goes to the color, and Ready is True.
  [[nodiscard]] bool is_ready(const std::string& color);
  [[nodiscard]] bool is_progressing();
  [[nodiscard]] std::string condition(std::string_view type);  // "True Serving"; empty: absent
  [[nodiscard]] std::string message(std::string_view type);
  [[nodiscard]] std::int64_t ready_replicas(std::string_view member);  // of the status; -1: absent
  [[nodiscard]] bool exists(const kube::Resource& resource, const kube::Key& key);
  [[nodiscard]] std::string image_of(const kube::Key& deployment);
  [[nodiscard]] std::size_t events(const std::string& reason) const;

  // Records changes of the selector from now on, including those by a new Service.
  void watch_switches();
  [[nodiscard]] std::size_t switches() const { return switches_; }
  // The changes to a color that had no ready pod at that moment.
  [[nodiscard]] const std::string& bad_switches() const { return bad_switches_; }

 private:
  [[nodiscard]] bool has_ready_pod(const std::string& color) const;

  std::size_t switches_ = 0;
  std::string last_selected_;  // retained when the Service is deleted
  std::string bad_switches_;
};

}  // namespace keelson::testing
