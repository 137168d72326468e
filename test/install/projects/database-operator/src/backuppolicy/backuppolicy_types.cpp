#include "backuppolicy/backuppolicy_types.hpp"

#include "keelson/controller/own_condition.hpp"

namespace backuppolicy {
using namespace keelson;

void describe(kube::Description& d, BackupPolicySpec& spec) {
  d.document("BackupPolicySpec is the desired state of BackupPolicy.");
  d.field("databases", spec.databases, "Selects Databases of all namespaces by their labels. Empty: all of them.")
      .required();
  d.field("schedule", spec.schedule, "When a backup of each is made, such as `0 3 * * *`.").required().min_length(1);
}

void describe(kube::Description& d, BackupPolicyStatus& status) {
  d.document("BackupPolicyStatus is the observed state of BackupPolicy.");
  d.field("databases", status.databases, "Number of Databases that are selected.");
  d.field("observedGeneration", status.observed_generation, "The generation of the spec that this status is about.");
  controller::describe_conditions<BackupPolicy>(d, status.conditions);
}

void BackupPolicy::describe_kind(kube::Kind& kind) {
  kind.description = "BackupPolicy sets the schedule of backups of the Databases that it selects.";
  kind.columns = {{"Schedule", "string", ".spec.schedule"},
                  {"Databases", "integer", ".status.databases"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  kind.sample = R"(apiVersion: db.example.com/v1
kind: BackupPolicy
metadata:
  name: gold
spec:
  databases:
    matchLabels:
      tier: gold
  schedule: 0 * * * *
)";
}

}  // namespace backuppolicy
