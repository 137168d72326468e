// The webhooks of CronJob, which a real API server calls by the name of a Service, with certificates that it verifies.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/registered_webhooks.hpp"
#include "test/support/certificates.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr const char* kCronJobs = "cronjobs.batch.tutorial.kubebuilder.io";
constexpr const char* kMutating = RegisteredWebhooks::kMutating;
constexpr const char* kValidating = RegisteredWebhooks::kValidating;
constexpr const char* kService = RegisteredWebhooks::kService;

std::string cronjob(const std::string& name, const std::string& schedule, const std::string& more = "") {
  return "apiVersion: batch.tutorial.kubebuilder.io/v1\nkind: CronJob\nmetadata: {name: " + name +
         "}\nspec:\n  schedule: \"" + schedule + "\"\n" + more +
         "  jobTemplate: {spec: {template: {spec: {restartPolicy: OnFailure, containers: [{name: main, image: "
         "busybox}]}}}}\n";
}

// kubectl's output for a write that the API server rejects.
std::string rejection(const std::string& ns, const std::string& yaml) {
  auto output = try_kubectl({"apply", "-n", ns, "-f", "-"}, yaml);
  CHECK(output.exit_code != 0);
  return output.text;
}

void check_webhooks_answer(const std::string& ns) {
  kubectl({"apply", "-n", ns, "-f", "-"}, cronjob("plain", "*/5 * * * *"));
  auto spec = get(kCronJobs, "plain", ns);
  CHECK(spec.root().at({"spec", "concurrencyPolicy"}).string() == "Allow");
  CHECK(spec.root().at({"spec", "suspend"}).boolean() == false);
  CHECK(spec.root().at({"spec", "successfulJobsHistoryLimit"}).integer() == 3);
  CHECK(spec.root().at({"spec", "failedJobsHistoryLimit"}).integer() == 1);
}

TEST_CASE(
    "C3, C23 to C26: the API server calls the webhooks, which set defaults and reject invalid CronJobs with the known "
    "texts") {
  Namespace space;
  Authority authority;
  const TemporaryFolder folder;
  auto pair = authority.issue({.names = {std::string(kService) + "." + space.name() + ".svc"}});
  folder.write("tls.crt", pair.certificate_pem);
  folder.write("tls.key", pair.key_pem);
  auto port = free_port();
  RegisteredWebhooks registered(space.name(), port, authority.certificate_pem());
  Manager manager({"--webhook-port=" + std::to_string(port), "--webhook-cert-path=" + folder.path().string()});
  manager.wait_until_ready();

  check_webhooks_answer(space.name());

  auto bad_schedule = rejection(space.name(), cronjob("bad", "every day"));
  CHECK(
      bad_schedule.find("The CronJob \"bad\" is invalid: spec.schedule: Invalid value: \"every day\": Expected exactly "
                        "5 fields, found 2: every day") != std::string::npos);
  auto long_name = rejection(space.name(), cronjob(std::string(53, 'n'), "*/5 * * * *"));
  CHECK(long_name.find("metadata.name: Invalid value: \"" + std::string(53, 'n') +
                       "\": must be no more than 52 characters") != std::string::npos);
  auto bad_zone = rejection(space.name(), cronjob("zoned", "*/5 * * * *", "  timeZone: Mars/Olympus\n"));
  CHECK(bad_zone.find("spec.timeZone: Invalid value: \"Mars/Olympus\": unknown time zone Mars/Olympus") !=
        std::string::npos);
  auto own_zone = rejection(space.name(), cronjob("prefixed", "TZ=UTC */5 * * * *"));
  CHECK(own_zone.find("cannot use TZ or CRON_TZ in schedule, use timeZone field instead") != std::string::npos);

  CHECK(manager.metrics().find(R"(controller_runtime_webhook_requests_total{code="200",webhook="/mutate-batch-)") !=
        std::string::npos);
}

// The admin's kubeconfig with another namespace in its context, which is the manager's namespace outside a cluster.
class KubeconfigFor {
 public:
  explicit KubeconfigFor(const std::string& ns) {
    std::filesystem::copy_file(std::getenv("KUBECONFIG"), path());
    kubectl({"config", "set-context", "--current", "--namespace=" + ns, "--kubeconfig=" + path()});
  }
  [[nodiscard]] std::string path() const { return folder_.file("kubeconfig"); }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("without cert-manager the manager creates its certificate and writes the CA for the API server") {
  Namespace space;
  KubeconfigFor kubeconfig(space.name());
  auto port = free_port();
  RegisteredWebhooks registered(space.name(), port, "");
  auto arguments = [&](int webhook_port) {
    return std::vector<std::string>{"--kubeconfig=" + kubeconfig.path(),
                                    "--webhook-port=" + std::to_string(webhook_port),
                                    "--webhook-self-signed",
                                    std::string("--webhook-service-name=") + kService,
                                    std::string("--webhook-mutating-configuration=") + kMutating,
                                    std::string("--webhook-validating-configuration=") + kValidating};
  };
  Manager manager(arguments(port));
  manager.wait_until_ready();
  auto secret = [&] { return value_of("secret", "keelson-webhook-server-cert", space.name(), ".data"); };
  auto made = secret();
  REQUIRE_FALSE(made.empty());

  // One writer wins: another replica serves with the existing certificate.
  Manager replica(arguments(free_port()));
  replica.wait_until_ready();

  check_webhooks_answer(space.name());
  auto bad_schedule = rejection(space.name(), cronjob("bad", "every day"));
  CHECK(bad_schedule.find("spec.schedule: Invalid value: \"every day\"") != std::string::npos);
  CHECK(secret() == made);
}

}  // namespace
}  // namespace keelson::testing
