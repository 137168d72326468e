// The kind DatabaseUser: its spec, its status, and its names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/schema/condition.hpp"

namespace databaseuser {

// The desired state, which users write.
struct DatabaseUserSpec {
  std::string database;
  std::string role = "reader";
};

// The observed state, which the controller writes.
struct DatabaseUserStatus {
  std::string secret;
  std::string address;
  std::int64_t observed_generation = 0;
  std::vector<keelson::kube::Condition> conditions;
};

// The names, rules and documentation of the fields, from which the CRD follows.
void describe(keelson::kube::Description& d, DatabaseUserSpec& spec);
void describe(keelson::kube::Description& d, DatabaseUserStatus& status);

struct DatabaseUser : keelson::CustomResource<DatabaseUserSpec, DatabaseUserStatus> {
  static constexpr keelson::kube::Identity kIdentity{"db.example.com", "v1", "DatabaseUser"};
  static void describe_kind(keelson::kube::Kind& kind);
};

}  // namespace databaseuser
