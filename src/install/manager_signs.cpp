#include "src/install/manager_signs.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/selector.hpp"

namespace keelson::install {

namespace {

// Leases and Pods that are read to find a running manager: one is sufficient.
constexpr std::int64_t kManagerSigns = 50;

// A leader renews its Lease every 2 s by default, and at least once within the duration of the Lease. The times in a
// Lease are of another clock, so only a change of renewTime shows that its holder runs.
constexpr auto kObservationPeriod = std::chrono::seconds(2);
constexpr std::int64_t kShortestObservation = 5;  // seconds
constexpr std::int64_t kLongestObservation = 60;

struct SeenLease {
  std::string key;
  std::string holder;
  std::string renewed;        // renewTime
  std::int64_t duration = 0;  // seconds
};

// The Leases of the operator that have a holder.
Task<std::vector<SeenLease>> held_leases(kube::Client& client) {
  kube::ListOptions options;
  options.fields = "metadata.name=" + client.operator_name().with("manager");
  options.limit = kManagerSigns;
  KEELSON_CO_LET(const auto page, co_await kube::list(client, kube::leases(), std::move(options)));
  std::vector<SeenLease> leases;
  for (const auto& object : page.items) {
    KEELSON_CO_LET(const auto document, json::Document::parse(object.json()));
    const auto spec = document.root().find("spec");
    const std::string holder(spec.find("holderIdentity").string().value_or(""));
    const std::string renewed(spec.find("renewTime").string().value_or(""));
    const auto duration = spec.find("leaseDurationSeconds").integer().value_or(0);
    if (!holder.empty()) leases.push_back({object.key().text(), holder, renewed, duration});
  }
  co_return leases;
}

// A Lease that was renewed or acquired between two lists.
std::optional<std::string> renewed_lease(const std::vector<SeenLease>& before, const std::vector<SeenLease>& after) {
  for (const auto& lease : after) {
    const bool is_unchanged = std::ranges::any_of(
        before, [&](const SeenLease& former) { return former.key == lease.key && former.renewed == lease.renewed; });
    if (!is_unchanged) return "the Lease " + lease.key + " is renewed by " + lease.holder;
  }
  return std::nullopt;
}

std::chrono::seconds observation_of(const std::vector<SeenLease>& leases) {
  auto longest = kShortestObservation;
  for (const auto& lease : leases) longest = std::max(longest, lease.duration);
  return std::chrono::seconds(std::min(longest, kLongestObservation));
}

Task<std::optional<std::string>> observe_leases(kube::Client& client, async::Clock& clock) {
  KEELSON_CO_LET(const auto first, co_await held_leases(client));
  std::optional<std::string> renewed;
  if (first.empty()) co_return renewed;
  const auto end = clock.now() + observation_of(first);
  while (!renewed && clock.now() < end) {
    co_await async::sleep_until(clock, std::min<async::TimePoint>(end, clock.now() + kObservationPeriod));
    KEELSON_CO_LET(const auto leases, co_await held_leases(client));
    renewed = renewed_lease(first, leases);
  }
  co_return renewed;
}

bool is_ready(json::View pod) {
  return json::item_with(pod.at({"status", "conditions"}), "type", "Ready").find("status").string() == "True";
}

Task<std::optional<std::string>> ready_pod(kube::Client& client) {
  kube::ListOptions options;
  options.labels = kube::Selector::equals(
      {{"control-plane", "controller-manager"}, {"app.kubernetes.io/name", client.operator_name().text()}});
  options.limit = kManagerSigns;
  KEELSON_CO_LET(const auto page, co_await kube::list(client, kube::pods(), std::move(options)));
  for (const auto& object : page.items) {
    const auto document = json::Document::parse(object.json());
    if (!document || object.deleting() || !is_ready(document->root())) continue;
    co_return "the pod " + object.key().text() + " is ready";
  }
  co_return std::optional<std::string>();
}

}  // namespace

Task<ManagerSigns> find_manager(kube::Client& client, async::Clock& clock) {
  KEELSON_CO_LET(auto pod, co_await ready_pod(client));
  if (pod) co_return ManagerSigns{true, std::move(*pod)};
  KEELSON_CO_LET(auto renewed, co_await observe_leases(client, clock));
  if (renewed) co_return ManagerSigns{true, std::move(*renewed)};
  const auto& name = client.operator_name();
  co_return ManagerSigns{false, "in no namespace is the Lease " + name.with("manager") +
                                    " renewed, and no pod with the labels control-plane=controller-manager and "
                                    "app.kubernetes.io/name=" +
                                    name.text() + " is ready"};
}

}  // namespace keelson::install
