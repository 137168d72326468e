#include "keelson/detail/doctor/doctor.hpp"

#include <utility>

#include "src/doctor/api_server.hpp"
#include "src/doctor/deployment.hpp"
#include "src/doctor/kinds.hpp"
#include "src/doctor/lease.hpp"
#include "src/doctor/manager.hpp"
#include "src/doctor/metrics.hpp"
#include "src/doctor/objects.hpp"
#include "src/doctor/permissions.hpp"
#include "src/doctor/watches.hpp"
#include "src/doctor/webhooks.hpp"
#include "src/doctor/writers.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

awaitable<void> examine(kube::Client& client, async::Clock& clock, Examined examined, Report& report) {
  auto& findings = report.findings;
  auto& stage = report.stage;
  Reader reader(client, clock);
  const auto useful = useful_permissions(examined);
  Installation installation(std::move(examined));
  report.program = installation.examined.program;
  report.version = installation.examined.version;
  report.server = installation.examined.server;
  report.ns = installation.ns;
  stage = "the API server";
  bool is_usable = false;
  co_await examine_api_server(reader, clock, is_usable, findings);
  if (!is_usable) {
    for (std::size_t area = 1; area < kAreas; ++area) findings.skip(static_cast<Area>(area), "");
    co_return;
  }
  stage = "the Deployment";
  co_await examine_deployment(reader, installation, findings);
  report.ns = installation.ns;
  report.deployment = installation.deployed.name;
  std::optional<LeaseFacts> lease;
  co_await begin_lease(reader, clock, installation, lease, findings);
  stage = "the running manager";
  ManagerPage page;
  co_await ask_manager(client, clock, installation, holder_of(lease), page, findings);
  stage = "kinds";
  co_await examine_kinds(reader, installation, findings);
  stage = "permissions";
  co_await examine_permissions(reader, installation, useful, findings);
  stage = "webhooks";
  co_await examine_webhooks(reader, installation, findings);
  stage = "metrics";
  co_await examine_metrics(reader, installation, findings);
  stage = "watches";
  co_await examine_watches(reader, installation, page.statusz, findings);
  stage = "children and objects";
  co_await examine_writers(reader, installation, findings);
  std::set<std::string> known;
  co_await examine_objects(reader, installation, known, findings);
  stage = "the lease";
  if (lease) co_await end_lease(reader, clock, page.statusz, *lease, findings);
  // After the objects and the lease, which have findings of their own.
  if (page.statusz) check_attention(page.pod, *page.statusz, known, findings);
}

}  // namespace keelson::doctor
