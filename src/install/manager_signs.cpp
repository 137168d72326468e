#include "src/install/manager_signs.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/install/limits.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::install {

namespace {

using boost::asio::awaitable;

// A leader renews its Lease every 2 s by default.
constexpr auto kObservation = std::chrono::seconds(5);

struct SeenLease {
  std::string key;
  std::string holder;
  std::string renewed;  // renewTime
  bool is_fresh = false;
};

bool is_fresh(json::View spec, async::WallTime now) {
  const auto time = kube::parse_time(spec.find("renewTime").string().value_or(""));
  const auto seconds = spec.find("leaseDurationSeconds").integer().value_or(0);
  return time && *time + std::chrono::seconds(seconds) > now;
}

// The Leases of the operator that have a holder.
awaitable<Result<std::vector<SeenLease>>> held_leases(kube::Client& client, async::WallTime now) {
  kube::ListOptions options;
  options.fields = "metadata.name=" + client.operator_name().with("manager");
  options.limit = limits::kManagerSigns;
  KEELSON_CO_LET(const auto page, co_await kube::list(client, kube::leases(), std::move(options)));
  std::vector<SeenLease> leases;
  for (const auto& object : page.items) {
    KEELSON_CO_LET(const auto document, json::Document::parse(object.json()));
    const auto spec = document.root().find("spec");
    const std::string holder(spec.find("holderIdentity").string().value_or(""));
    const std::string renewed(spec.find("renewTime").string().value_or(""));
    if (!holder.empty()) leases.push_back({object.key().text(), holder, renewed, is_fresh(spec, now)});
  }
  co_return leases;
}

std::optional<std::string> renewed_lease(const std::vector<SeenLease>& before, const std::vector<SeenLease>& after) {
  for (const auto& lease : after) {
    bool is_renewed = lease.is_fresh;
    for (const auto& former : before) {
      is_renewed = is_renewed || (former.key == lease.key && former.renewed != lease.renewed);
    }
    if (is_renewed) return "the Lease " + lease.key + " is renewed by " + lease.holder;
  }
  return std::nullopt;
}

bool is_ready(json::View pod) {
  for (const auto condition : pod.at({"status", "conditions"}).items()) {
    if (condition.find("type").string() == "Ready") return condition.find("status").string() == "True";
  }
  return false;
}

awaitable<Result<std::optional<std::string>>> ready_pod(kube::Client& client) {
  kube::ListOptions options;
  options.labels = kube::Selector::equals(
      {{"control-plane", "controller-manager"}, {"app.kubernetes.io/name", client.operator_name().text()}});
  options.limit = limits::kManagerSigns;
  KEELSON_CO_LET(const auto page, co_await kube::list(client, kube::pods(), std::move(options)));
  for (const auto& object : page.items) {
    const auto document = json::Document::parse(object.json());
    if (!document || object.deleting() || !is_ready(document->root())) continue;
    co_return "the pod " + object.key().text() + " is ready";
  }
  co_return std::optional<std::string>();
}

}  // namespace

awaitable<Result<ManagerSigns>> find_manager(kube::Client& client, async::Clock& clock) {
  KEELSON_CO_LET(auto pod, co_await ready_pod(client));
  if (pod) co_return ManagerSigns{true, std::move(*pod)};
  KEELSON_CO_LET(const auto first, co_await held_leases(client, clock.wall_now()));
  auto renewed = renewed_lease({}, first);
  if (!renewed && !first.empty()) {
    co_await async::sleep_for(clock, kObservation);
    KEELSON_CO_LET(const auto second, co_await held_leases(client, clock.wall_now()));
    renewed = renewed_lease(first, second);
  }
  if (renewed) co_return ManagerSigns{true, std::move(*renewed)};
  const auto& name = client.operator_name();
  co_return ManagerSigns{false, "in no namespace is the Lease " + name.with("manager") +
                                    " renewed, and no pod with the labels control-plane=controller-manager and "
                                    "app.kubernetes.io/name=" +
                                    name.text() + " is ready"};
}

}  // namespace keelson::install
