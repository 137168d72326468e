#include "databaseuser/databaseuser_types.hpp"

#include "keelson/controller/own_condition.hpp"

namespace databaseuser {
using namespace keelson;

void describe(kube::Description& d, DatabaseUserSpec& spec) {
  d.document("DatabaseUserSpec is the desired state of DatabaseUser.");
  d.field("database", spec.database, "The name of a Database in the same namespace. It cannot be changed.")
      .required()
      .min_length(1)
      .max_length(63)
      .rule("self == oldSelf", "create another DatabaseUser");
  d.field("role", spec.role, "What the user may do: read, or read and write.")
      .one_of({"reader", "writer"})
      .default_value("\"reader\"");
}

void describe(kube::Description& d, DatabaseUserStatus& status) {
  d.document("DatabaseUserStatus is the observed state of DatabaseUser.");
  d.field("secret", status.secret, "The Secret with the password.");
  d.field("address", status.address, "Where the user connects to: host and port.");
  d.field("observedGeneration", status.observed_generation, "The generation of the spec that this status is about.");
  controller::describe_conditions<DatabaseUser>(d, status.conditions);
}

void DatabaseUser::describe_kind(kube::Kind& kind) {
  kind.description = "DatabaseUser is a user of a Database, with a password of its own.";
  kind.columns = {{"Database", "string", ".spec.database"},
                  {"Role", "string", ".spec.role"},
                  {"Ready", "string", ".status.conditions[?(@.type==\"Ready\")].status"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  // The name of the Job has the role and parts of two uids.
  kind.rules = {{"size(self.metadata.name) <= 36", "must be at most 36 characters", ".metadata.name"}};
  kind.sample = R"(apiVersion: db.example.com/v1
kind: DatabaseUser
metadata:
  name: reports
spec:
  database: main
  role: reader
)";
}

}  // namespace databaseuser
