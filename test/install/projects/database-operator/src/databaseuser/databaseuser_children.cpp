#include "databaseuser/databaseuser_children.hpp"

#include "database/database_children.hpp"
#include "database/database_engine.hpp"
#include "keelson/api/pod_security.hpp"

namespace databaseuser {
using namespace keelson;
using database::Database;

namespace {

core::v1::EnvVar password_variable(const std::string& name, const std::string& secret) {
  return {.name = name, .value_from = {{.secret_key_ref = {{.name = secret, .key = database::kPasswordKey}}}}};
}

std::string job_name(const DatabaseUser& user, const Database& database, const core::v1::Secret& secret) {
  return user.name() + "-" + user.spec.role + "-" + database.metadata.uid.substr(0, 8) +
         secret.metadata.uid.substr(0, 8);
}

}  // namespace

std::string secret_name(const DatabaseUser& user) { return user.name() + "-user"; }

core::v1::Secret secret_of(const DatabaseUser& user, const std::string& password) {
  return {
      .metadata = {.name = secret_name(user), .labels = {{kUserLabel, user.name()}}},
      .immutable = true,
      .data = {{"username", user.name()}, {database::kPasswordKey, password}},
  };
}

batch::v1::Job job_of(const DatabaseUser& user, const Database& database, const core::v1::Secret& secret,
                      const std::string& tools_image) {
  const core::v1::Container container{
      .name = "create-user",
      .image = tools_image,
      .args = {"create-user", "--engine=" + database::engine_name(database),
               "--address=" + database::address_of(database), "--user=" + user.name(), "--role=" + user.spec.role},
      .env = {password_variable("ADMIN_PASSWORD", database::secret_name(database)),
              password_variable("USER_PASSWORD", secret.metadata.name)},
      .security_context = core::v1::restricted_container(),
  };
  return {
      .metadata = {.name = job_name(user, database, secret)},
      // Without a time to live: if the Job was deleted, it would run again.
      .spec = {.backoff_limit = 3,
               .pod_template = {.spec = {.containers = {container},
                                         .restart_policy = "Never",
                                         .security_context =
                                             core::v1::restricted_pod(database::engine_of(database).user)}}},
  };
}

}  // namespace databaseuser
