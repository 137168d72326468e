// config/default, or a variant of it, applied to the cluster as users apply it, and its pod.
#pragma once

#include <string>

#include "test/cluster/harness/pod.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {

// Destroying it deletes all of it from the cluster except for the CRDs, which other tests use, too. A machine has one
// at a time, because its manager has fixed ports.
class Deployment {
 public:
  // A folder that kustomize renders: "kustomize/native-metrics".
  explicit Deployment(const std::string& tree = "config/default");
  Deployment(const Deployment&) = delete;
  Deployment& operator=(const Deployment&) = delete;
  ~Deployment();

  static constexpr const char* kNamespace = "keelson-system";

  // Applies all of it again and returns the output of kubectl.
  [[nodiscard]] std::string apply() const;
  // The port of the pod to which a Service leads.
  [[nodiscard]] int port_behind(const std::string& service) const;
  // The API server still calls the webhooks by the name of their Service, which now leads to this machine.
  void lead_webhooks_here() const;
  // Its pod, as the API server has it.
  [[nodiscard]] Pod pod() const;

 private:
  // Held until the next deployment may start, also when a constructor fails.
  class Turn {
   public:
    Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    int lock_;
  };
  Turn turn_;
  TemporaryFolder folder_;
};

}  // namespace keelson::testing
