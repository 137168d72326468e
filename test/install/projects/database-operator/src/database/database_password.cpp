#include "database/database_password.hpp"

#include "database/database_children.hpp"

namespace database {
using namespace keelson;

namespace {

constexpr std::size_t kPasswordLength = 24;

}  // namespace

Task<bool> make_password(const Database& database, Pass<Database>& pass) {
  const auto name = secret_name(database);
  if (pass.status().secret.empty()) {
    // If an earlier pass has created the Secret, this keeps its password.
    KEELSON_CO_TRY(co_await pass.create(secret_of(database, pass.secure_random_text(kPasswordLength))));
    pass.status().secret = name;
    co_return true;
  }
  KEELSON_CO_LET(const auto secret, pass.get<core::v1::Secret>({database.ns(), name}));
  if (!secret) {
    pass.stalled("PasswordLost",
                 "Secret " + name + " was deleted. Restore it with its labels: the data has its password.");
  }
  co_return secret.has_value();
}

}  // namespace database
