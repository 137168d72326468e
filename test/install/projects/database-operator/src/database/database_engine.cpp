#include "database/database_engine.hpp"

namespace database {

namespace {

// The server wants an empty folder, and the root of a volume may have a lost+found.
const Engine kPostgres{.image = "postgres:17.2-alpine",
                       .port = 5432,
                       .user = 70,
                       .data_folder = "/var/lib/postgresql/data",
                       .password_variable = "POSTGRES_PASSWORD",
                       .environment = {{"PGDATA", "/var/lib/postgresql/data/pgdata"}}};

const Engine kMysql{.image = "mysql:8.4.3",
                    .port = 3306,
                    .user = 999,
                    .data_folder = "/var/lib/mysql",
                    .password_variable = "MYSQL_ROOT_PASSWORD",
                    .environment = {}};

}  // namespace

const Engine& engine_of(const Database& database) { return engine_name(database) == "mysql" ? kMysql : kPostgres; }

}  // namespace database
