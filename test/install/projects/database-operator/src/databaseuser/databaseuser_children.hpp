// The desired state of a DatabaseUser's children.
#pragma once

#include <string>

#include "database/database_types.hpp"
#include "databaseuser/databaseuser_types.hpp"
#include "keelson/api/batch/v1/job.hpp"
#include "keelson/api/core/v1/secret.hpp"

namespace databaseuser {

// The label of the Secret.
inline constexpr const char* kUserLabel = "db.example.com/user";

std::string secret_name(const DatabaseUser& user);

keelson::core::v1::Secret secret_of(const DatabaseUser& user, const std::string& password);

// Creates the user in the Database, with the password of `secret`. Another role, another Database of that name, and
// another Secret need another Job, so the name has all three.
keelson::batch::v1::Job job_of(const DatabaseUser& user, const database::Database& database,
                               const keelson::core::v1::Secret& secret, const std::string& tools_image);

}  // namespace databaseuser
