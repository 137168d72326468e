// The kind Database: its spec, its status, and its names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/quantity.hpp"

namespace database {

// The annotation with which the webhook rejects the deletion of a Database.
inline constexpr const char* kProtected = "db.example.com/protected";

// The desired state, which users write. The webhook sets the fields that they leave out.
struct DatabaseSpec {
  std::optional<std::string> engine;
  std::optional<std::int32_t> replicas;
  std::optional<keelson::kube::Quantity> storage;
  std::optional<std::string> backup_schedule;
};

// The observed state, which the controller writes.
struct DatabaseStatus {
  std::string address;
  std::string secret;
  std::int32_t ready_replicas = 0;
  std::string backup_schedule;
  std::string backup_policy;
  std::int64_t observed_generation = 0;
  std::vector<keelson::kube::Condition> conditions;
};

// The names, rules and documentation of the fields, from which the CRD follows.
void describe(keelson::kube::Description& d, DatabaseSpec& spec);
void describe(keelson::kube::Description& d, DatabaseStatus& status);

struct Database : keelson::CustomResource<DatabaseSpec, DatabaseStatus> {
  static constexpr keelson::kube::Identity kIdentity{"db.example.com", "v1", "Database"};
  static constexpr std::array kConditions{std::string_view("BackupScheduled")};
  static void describe_kind(keelson::kube::Kind& kind);
};

// The values of fields that are left out: where no webhook runs, the controller finds them so.
[[nodiscard]] std::string engine_name(const Database& database);
[[nodiscard]] std::int32_t replicas_of(const Database& database);
[[nodiscard]] keelson::kube::Quantity storage_of(const Database& database);

// True if the condition Ready is True, and about the current spec.
[[nodiscard]] bool is_ready(const Database& database);

}  // namespace database
