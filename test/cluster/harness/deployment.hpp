// config/default, or a variant of it, on the cluster, applied as its users apply it, and the pod that comes of it.
#pragma once

#include <string>

#include "test/cluster/harness/pod.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::test {

// Destroying it takes all of it off the cluster but the CRDs, which other tests use as well. There is one at a time on
// a machine, whoever runs these tests: its manager has fixed ports.
class Deployment {
 public:
  // A folder that kustomize renders: "kustomize/native-metrics".
  explicit Deployment(const std::string& tree = "config/default");
  Deployment(const Deployment&) = delete;
  Deployment& operator=(const Deployment&) = delete;
  ~Deployment();

  static constexpr const char* kNamespace = "keelson-system";

  // `kubectl apply` of all of it once more: what it printed.
  [[nodiscard]] std::string apply() const;
  // Of a Service, the port of its pod that it leads to.
  [[nodiscard]] int port_behind(const std::string& service) const;
  // The API server goes on calling the webhooks by the name of their Service, which now stands for this machine.
  void lead_webhooks_here() const;
  // Its pod as the API server has it.
  [[nodiscard]] Pod pod() const;

 private:
  // Held until the next may come, also when a constructor fails half-way.
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

}  // namespace keelson::test
