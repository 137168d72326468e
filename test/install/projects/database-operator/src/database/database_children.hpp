// The desired state of a Database's children, which depends only on the Database and on what is passed.
#pragma once

#include <map>
#include <string>

#include "database/database_types.hpp"
#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/api/batch/v1/cron_job.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/api/policy/v1/pod_disruption_budget.hpp"

namespace database {

// The label that pods, claims and Jobs have, with the name of their Database.
inline constexpr const char* kDatabaseLabel = "db.example.com/database";
// The key of the password in the Secret.
inline constexpr const char* kPasswordKey = "password";

std::map<std::string, std::string> labels_of(const Database& database);
std::string host_of(const Database& database);
std::string address_of(const Database& database);  // host and port
std::string secret_name(const Database& database);

keelson::core::v1::Secret secret_of(const Database& database, const std::string& password);
// Headless: each pod has a name of its own.
keelson::core::v1::Service service_of(const Database& database);
keelson::policy::v1::PodDisruptionBudget budget_of(const Database& database);
// `claim_size` is that of the claim template, which cannot be changed later.
keelson::apps::v1::StatefulSet stateful_set_of(const Database& database, const keelson::kube::Quantity& claim_size);

// The Jobs of the Database run these tools as `backup` and `create-user`.
struct Tools {
  std::string image;
  std::string archive_url;  // of this Database
};
keelson::batch::v1::CronJob backup_of(const Database& database, const std::string& schedule, const Tools& tools);

}  // namespace database
