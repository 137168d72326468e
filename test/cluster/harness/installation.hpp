// The deployed manager, leading and serving its webhooks on this machine.
#pragma once

#include "test/cluster/harness/client.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/container.hpp"
#include "test/cluster/harness/deployment.hpp"

namespace keelson::testing {

struct Installation {
  Installation() {
    deployment.lead_webhooks_here();
    manager.wait_until_ready();
    eventually("the manager leads and has published its CA", [] {
      return !value_of("lease", "keelson-manager", Deployment::kNamespace, ".spec.holderIdentity").empty() &&
             !value_of("mutatingwebhookconfiguration", "keelson-mutating-webhook-configuration", "",
                       ".webhooks[0].clientConfig.caBundle")
                  .empty();
    });
  }
  Deployment deployment;
  Pod pod = deployment.pod();
  Container manager{pod, "manager", manager_image()};
};

}  // namespace keelson::testing
