// The kind BackupPolicy: its spec, its status, and its names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/schema/condition.hpp"

namespace backuppolicy {

// The desired state, which users write.
struct BackupPolicySpec {
  keelson::meta::v1::LabelSelector databases;
  std::string schedule;
};

// The observed state, which the controller writes.
struct BackupPolicyStatus {
  std::int64_t databases = 0;
  std::int64_t observed_generation = 0;
  std::vector<keelson::kube::Condition> conditions;
};

// The names, rules and documentation of the fields, from which the CRD follows.
void describe(keelson::kube::Description& d, BackupPolicySpec& spec);
void describe(keelson::kube::Description& d, BackupPolicyStatus& status);

struct BackupPolicy : keelson::CustomResource<BackupPolicySpec, BackupPolicyStatus> {
  static constexpr keelson::kube::Identity kIdentity{"db.example.com", "v1", "BackupPolicy", "backuppolicies",
                                                     keelson::kube::Scope::kCluster};
  static void describe_kind(keelson::kube::Kind& kind);
};

}  // namespace backuppolicy
