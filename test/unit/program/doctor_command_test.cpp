#include "src/program/commands/doctor_command.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

namespace {

using namespace keelson;
using doctor::DeployedFlags;
using Words = std::vector<std::string>;

std::vector<controller::Definition> boats() {
  auto boat = controller::define(kube::Resource("sea.example.com", "v1", "Boat", "boats"));
  auto buoy = controller::define(kube::Resource("sea.example.com", "v1", "Buoy", "buoys"));
  return {std::move(boat), std::move(buoy)};
}

Result<DeployedFlags> flags_of(doctor::ManagerContainer container) {
  const program::Syntax syntax{kube::OperatorName("sea")};
  return program::deployed_flags(syntax, boats(), container);
}

DeployedFlags flags_with(Words arguments) {
  auto flags = flags_of({std::move(arguments), {}, {}});
  REQUIRE(flags);
  return *flags;
}

struct Ran {
  int code;
  std::string out;
  std::string errors;
};

Ran run_doctor(const Words& arguments) {
  const program::Syntax syntax;
  const program::Additions additions;
  std::ostringstream out;
  std::ostringstream errors;
  const auto code = program::doctor_command({"manager", syntax, {}, additions}, arguments, out, errors);
  return {code, out.str(), errors.str()};
}

}  // namespace

TEST_CASE("the flags of a deployed manager follow from its arguments, with the operator's names as defaults") {
  const auto flags = flags_with({"--leader-elect", "--controllers=-buoy", "--metrics-bind-address=127.0.0.1:8080",
                                 "--metrics-secure=false", "--webhook-self-signed"});

  CHECK(flags.leader_elect);
  CHECK(flags.lease_name == "sea-manager");
  CHECK(flags.controllers == Words{"boat"});
  CHECK(flags.metrics == DeployedFlags::Metrics::kPlain);
  CHECK(flags.metrics_bind_address == "127.0.0.1:8080");
  CHECK(flags.webhooks == DeployedFlags::Webhooks::kSelfSigned);
  CHECK(flags.webhook_secret == "sea-webhook-server-cert");
  CHECK(flags.mutating_configuration == "sea-mutating-webhook-configuration");
  CHECK(flags.webhook_port == 9443);
}

TEST_CASE("metrics of a deployed manager are off, plain or secure") {
  CHECK(flags_with({"--metrics-bind-address=0"}).metrics == DeployedFlags::Metrics::kOff);
  CHECK(flags_with({"--metrics-bind-address=:8443"}).metrics == DeployedFlags::Metrics::kSecure);
  CHECK(flags_with({"--metrics-bind-address=:8443", "--metrics-secure=false"}).metrics ==
        DeployedFlags::Metrics::kPlain);
}

TEST_CASE("webhooks of a deployed manager are off unless it has a certificate, which may be a mounted Secret") {
  const auto off = flags_with({});
  CHECK(off.webhooks == DeployedFlags::Webhooks::kOff);
  CHECK(off.webhooks_off_because.starts_with("Webhooks are off: no --webhook-cert-path"));

  const auto given = flags_with({"--webhook-cert-path=/certs"});
  CHECK(given.webhooks == DeployedFlags::Webhooks::kFiles);
  CHECK(given.webhook_cert_folder == "/certs");

  const auto mounted = flags_of({{}, {}, {{"/tmp/k8s-webhook-server/serving-certs", "cert"}}});
  REQUIRE(mounted);
  CHECK(mounted->webhooks == DeployedFlags::Webhooks::kFiles);
  CHECK(mounted->webhook_cert_folder == "/tmp/k8s-webhook-server/serving-certs");

  const auto disabled = flags_of({{"--webhook-self-signed"}, {{"ENABLE_WEBHOOKS", "false"}}, {}});
  REQUIRE(disabled);
  CHECK(disabled->webhooks == DeployedFlags::Webhooks::kOff);
  CHECK(flags_with({"--webhook-url=https://laptop:9443"}).webhooks == DeployedFlags::Webhooks::kUrl);
}

TEST_CASE("the environment of a deployed manager counts") {
  const auto flags = flags_of({{}, {{"WATCH_NAMESPACE", "sea-system"}}, {}});

  REQUIRE(flags);
  CHECK(flags->watch_namespaces == Words{"sea-system"});
}

TEST_CASE("a dry run of a deployed manager needs no lease, and flags without an effect are notices") {
  const auto flags = flags_with({"--dry-run", "--leader-elect", "--enable-http2"});

  CHECK(flags.dry_run);
  CHECK_FALSE(flags.leader_elect);
  CHECK(flags.notices.size() == 1);
}

TEST_CASE("arguments that a manager does not accept are its error, and a file of the pod is not read") {
  const auto unknown = flags_of({{"--leader-elekt"}, {}, {}});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message().starts_with("flag provided but not defined: -leader-elekt"));
  CHECK_FALSE(flags_of({{"--controllers=ship"}, {}, {}}));
  CHECK(flags_with({"--config=/etc/manager.yaml"}).are_in_file);
  CHECK_FALSE(flags_with({}).are_in_file);
}

TEST_CASE("doctor rejects unknown flags and arguments with exit code 2") {
  const auto flag = run_doctor({"--outptu=json"});
  CHECK(flag.code == 2);
  CHECK(flag.errors ==
        "flag provided but not defined: -outptu\ndid you mean --output?\nRun 'manager doctor --help' for usage.\n");
  const auto word = run_doctor({"now"});
  CHECK(word.code == 2);
  CHECK(word.errors == "unexpected argument \"now\"\nRun 'manager doctor --help' for usage.\n");
  CHECK(run_doctor({"--output=yaml"}).code == 2);
}

TEST_CASE("doctor --help explains its flags and exit codes") {
  const auto help = run_doctor({"--help"});

  CHECK(help.code == 0);
  CHECK(help.out.starts_with("Usage: manager doctor [flags]\n"));
  CHECK(help.out.find("Exit code: 0") != std::string::npos);
}

TEST_CASE("the flag --interval needs --watch, and is at least ten seconds") {
  CHECK(run_doctor({"--interval=30s"}).errors.starts_with("--interval needs --watch\n"));
  CHECK(run_doctor({"--watch", "--interval=9s"}).errors.starts_with("--interval: 9s is too short; use at least 10s"));
  CHECK(run_doctor({"--watch", "--interval=soon"}).code == 2);
}

TEST_CASE("doctor --role prints a role for the manager's ServiceAccount, which may read, and create its kinds") {
  const program::Syntax syntax{kube::OperatorName("sea")};
  const program::Additions additions;
  std::ostringstream out;
  std::ostringstream errors;

  const auto code = program::doctor_command({"manager", syntax, boats(), additions}, {"--role"}, out, errors);

  CHECK(code == 0);
  const auto role = out.str();
  INFO(role);
  for (const char* part : {
           "kind: ClusterRole\nmetadata:\n  name: sea-doctor\n",
           "- apiGroups: [\"sea.example.com\"]\n  resources: [\"boats\", \"buoys\"]\n  verbs: [\"create\", \"list\", "
           "\"watch\"]\n",
           "resources: [\"secrets\"]\n  resourceNames: [\"sea-webhook-server-cert\"]\n  verbs: [\"get\"]\n",
           "resources: [\"pods/log\", \"pods/proxy\"]",
           "doctor stores nothing with them; RBAC cannot limit\n# `create` to dry runs.",
           "- kind: ServiceAccount\n  name: sea-controller-manager\n  namespace: sea-system\n",
       }) {
    INFO(part);
    CHECK(role.find(part) != std::string::npos);
  }
  for (const char* verb : {"update", "patch", "delete", "\"*\""}) CHECK(role.find(verb) == std::string::npos);
}

TEST_CASE("doctor without a usable kubeconfig has no report, and exit code 2") {
  const auto ran = run_doctor({"--kubeconfig=/nonexistent/kubeconfig"});

  CHECK(ran.code == 2);
  CHECK(ran.out.empty());
  CHECK(ran.errors.starts_with("manager doctor: unable to get kubeconfig"));
}
