#include "database/database_children.hpp"

#include "database/database_engine.hpp"
#include "keelson/api/pod_security.hpp"

namespace database {
using namespace keelson;

namespace {

constexpr const char* kPortName = "database";
constexpr const char* kVolume = "data";

core::v1::EnvVar password_variable(const Database& database, const std::string& name) {
  return {.name = name, .value_from = {{.secret_key_ref = {{.name = secret_name(database), .key = kPasswordKey}}}}};
}

core::v1::Container server_of(const Database& database) {
  const auto& engine = engine_of(database);
  core::v1::Container container{
      .name = "server",
      .image = engine.image,
      .ports = {{.name = kPortName, .container_port = engine.port, .protocol = "TCP"}},
      .env = {password_variable(database, engine.password_variable)},
      .volume_mounts = {{.name = kVolume, .mount_path = engine.data_folder}},
      .readiness_probe = {{.tcp_socket = {{.port = kPortName}}}},
      .security_context = core::v1::restricted_container(),
  };
  for (const auto& [name, value] : engine.environment) container.env.push_back({.name = name, .value = value});
  return container;
}

core::v1::PersistentVolumeClaim claim_of(const Database& database, const kube::Quantity& size) {
  return {
      .metadata = {.name = kVolume, .labels = labels_of(database)},
      .spec = {.access_modes = {"ReadWriteOnce"}, .resources = {.requests = {{"storage", size}}}},
  };
}

core::v1::PodTemplateSpec backup_pod_of(const Database& database, const Tools& tools) {
  const core::v1::Container container{
      .name = "backup",
      .image = tools.image,
      .args = {"backup", "--engine=" + engine_name(database), "--address=" + address_of(database),
               "--archive=" + tools.archive_url},
      .env = {password_variable(database, "ADMIN_PASSWORD")},
      .security_context = core::v1::restricted_container(),
  };
  return {
      .metadata = {.labels = {{"db.example.com/backup-of", database.name()}}},
      .spec = {.containers = {container},
               .restart_policy = "OnFailure",
               .security_context = core::v1::restricted_pod(engine_of(database).user)},
  };
}

}  // namespace

std::map<std::string, std::string> labels_of(const Database& database) { return {{kDatabaseLabel, database.name()}}; }
std::string host_of(const Database& database) { return database.name() + "." + database.ns() + ".svc"; }
std::string address_of(const Database& database) {
  return host_of(database) + ":" + std::to_string(engine_of(database).port);
}
std::string secret_name(const Database& database) { return database.name() + "-admin"; }

core::v1::Secret secret_of(const Database& database, const std::string& password) {
  return {
      .metadata = {.name = secret_name(database), .labels = labels_of(database)},
      .immutable = true,
      .data = {{kPasswordKey, password}},
  };
}

core::v1::Service service_of(const Database& database) {
  return {
      .metadata = {.name = database.name(), .labels = labels_of(database)},
      .spec = {.ports =
                   {{.name = kPortName, .protocol = "TCP", .port = engine_of(database).port, .target_port = kPortName}},
               .selector = labels_of(database),
               .cluster_ip = "None"},
  };
}

policy::v1::PodDisruptionBudget budget_of(const Database& database) {
  return {
      .metadata = {.name = database.name(), .labels = labels_of(database)},
      .spec = {.selector = {{.match_labels = labels_of(database)}}, .max_unavailable = kube::IntOrString(1)},
  };
}

apps::v1::StatefulSet stateful_set_of(const Database& database, const kube::Quantity& claim_size) {
  return {
      .metadata = {.name = database.name(), .labels = labels_of(database)},
      .spec = {.replicas = replicas_of(database),
               .selector = {.match_labels = labels_of(database)},
               .pod_template = {.metadata = {.labels = labels_of(database)},
                                .spec = {.containers = {server_of(database)},
                                         .security_context = core::v1::restricted_pod(engine_of(database).user)}},
               .volume_claim_templates = {claim_of(database, claim_size)},
               .service_name = database.name(),
               // The volumes of a deleted Database go; the annotation kProtected protects it from an accident.
               .persistent_volume_claim_retention_policy = {{.when_deleted = "Delete", .when_scaled = "Retain"}}},
  };
}

batch::v1::CronJob backup_of(const Database& database, const std::string& schedule, const Tools& tools) {
  return {
      .metadata = {.name = database.name() + "-backup", .labels = labels_of(database)},
      .spec = {.schedule = schedule,
               .concurrency_policy = "Forbid",
               .job_template = {.spec = {.backoff_limit = 3, .pod_template = backup_pod_of(database, tools)}}},
  };
}

}  // namespace database
