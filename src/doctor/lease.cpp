#include "src/doctor/lease.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/schema/time.hpp"
#include "src/doctor/sample.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

constexpr std::chrono::seconds kClockTolerance{5};
// A holder renews its lease every two seconds.
constexpr std::chrono::milliseconds kLeaseObservation{2500};

std::optional<async::WallTime> time_at(json::View view, std::initializer_list<std::string_view> path) {
  const auto time = kube::parse_time(text_at(view, path));
  if (!time) return std::nullopt;
  return *time;
}

std::string holder_of(json::View lease) { return text_at(lease, {"spec", "holderIdentity"}); }

std::int64_t transitions_of(json::View lease) { return lease.at({"spec", "leaseTransitions"}).integer().value_or(0); }

// How long ago it was renewed; nullopt if it has no time.
std::optional<std::chrono::seconds> age_of(json::View lease, async::WallTime now) {
  const auto renewed = time_at(lease, {"spec", "renewTime"});
  if (!renewed) return std::nullopt;
  return std::chrono::round<std::chrono::seconds>(now - *renewed);
}

bool is_expired(json::View lease, async::WallTime now) {
  const auto age = age_of(lease, now);
  return !age || age->count() > lease.at({"spec", "leaseDurationSeconds"}).integer().value_or(15);
}

// The API server's time of the last write of renewTime, which has the writer's time.
void check_writer_clock(json::View lease, const std::string& subject, Findings& findings) {
  const auto renewed = time_at(lease, {"spec", "renewTime"});
  std::optional<async::WallTime> written;
  for (const auto entry : lease.at({"metadata", "managedFields"}).items()) {
    if (entry.at({"fieldsV1", "f:spec", "f:renewTime"}).is_absent()) continue;
    written = std::max(written, time_at(entry, {"time"}));
  }
  if (!renewed || !written) return;
  const auto skew = std::chrono::round<std::chrono::seconds>(*renewed - *written);
  if (std::chrono::abs(skew) <= kClockTolerance) return;
  findings.add("manager-clock-skew", subject,
               "the manager's is " + std::to_string(std::chrono::abs(skew).count()) + " s " +
                   (skew.count() > 0 ? "ahead" : "behind"));
}

void check_other_namespaces(const LeaseFacts& facts, Findings& findings) {
  if (!facts.of_all_namespaces) {
    // Without the permission only this check is lost.
    findings.add_unreadable(Area::kLease, facts.of_all_namespaces.error());
    return;
  }
  // Both must be held.
  if (!facts.second || holder_of(facts.second->root()).empty() || is_expired(facts.second->root(), facts.now)) return;
  for (const auto lease : facts.of_all_namespaces->root().find("items").items()) {
    const auto ns = text_at(lease, {"metadata", "namespace"});
    const auto& separate = facts.separate_namespaces;
    if (std::ranges::find(separate, ns) != separate.end()) continue;
    if (ns == facts.ns || holder_of(lease).empty() || is_expired(lease, facts.now)) continue;
    findings.add("lease-in-two-namespaces", "leases/" + facts.name,
                 facts.ns + " and " + ns + ", which " + holder_of(lease) + " holds");
  }
}

// With the manager's own error, which decides the cause of the finding.
void add_unheld(std::string_view id, const LeaseFacts& facts, std::string detail, Findings& findings) {
  if (!facts.problem.empty()) {
    detail += (detail.empty() ? "the manager reports: " : "; the manager reports: ") + facts.problem;
  }
  findings.add(id, "leases/" + facts.name, std::move(detail));
}

// An identity is the host name and a random part.
bool is_held_by_pod(const LeaseFacts& facts, const std::string& holder) {
  return std::ranges::any_of(facts.pods,
                             [&](const std::string& pod) { return holder == pod || holder.starts_with(pod + "_"); });
}

// An identity begins with the host name, which is that of the node in its network.
std::vector<std::string> host_names(json::View pods) {
  std::vector<std::string> names;
  for (const auto pod : pods.find("items").items()) {
    const bool is_in_host_network = pod.at({"spec", "hostNetwork"}).boolean().value_or(false);
    names.push_back(is_in_host_network ? text_at(pod, {"spec", "nodeName"}) : text_at(pod, {"metadata", "name"}));
  }
  return names;
}

// Why the manager cannot read or write the lease, by its /statusz. If the API server does not accept its credentials,
// it cannot authenticate the request for a protected page either, and the reply says so (access/visit_policy.cpp).
std::string problem_of_manager(const Reading& statusz) {
  if (statusz) return text_at(statusz->root(), {"leader", "problem"});
  const auto text = statusz.error().message();
  return text.find("401 Unauthorized") == std::string::npos ? "" : text;
}

}  // namespace

awaitable<void> begin_lease(Reader& reader, async::Clock& clock, const Installation& installation,
                            std::optional<LeaseFacts>& lease, Findings& findings) {
  const bool has_deployment = installation.has_deployment();
  const auto replicas = installation.deployment.at({"spec", "replicas"}).integer().value_or(has_deployment);
  if (installation.unread) {
    // The lease would be searched in a namespace that is not the manager's.
    findings.skip(Area::kLease, "not examined: the Deployment of the manager is unknown");
    co_return;
  }
  if (has_deployment && installation.flags.are_in_file) {
    findings.skip(Area::kLease, "not examined: the flags are in a file");
    co_return;
  }
  if (has_deployment && !installation.flags.leader_elect) {
    if (replicas > 1) findings.add("replicas-without-lease", "deployments/" + installation.deployed.name);
    findings.summarize(Area::kLease, "leader election is off");
    co_return;
  }
  lease.emplace();
  lease->ns = installation.lease_namespace();
  lease->name = installation.flags.lease_name;
  lease->has_deployment = has_deployment;
  lease->replicas = static_cast<int>(replicas);
  lease->separate_namespaces = installation.separate_namespaces;
  lease->are_pods_known = installation.pods.has_value();
  if (installation.pods) lease->pods = host_names(installation.pods->root());
  Requests first;
  first.emplace_back(get_of(kube::leases(), lease->ns, lease->name));
  co_await reader.read(first);
  lease->first = std::move(first.front().reply);
  lease->begun = clock.now();
}

awaitable<void> end_lease(Reader& reader, async::Clock& clock, const std::optional<Reading>& statusz, LeaseFacts& lease,
                          Findings& findings) {
  if (lease.first) co_await async::sleep_until(clock, lease.begun + kLeaseObservation);
  Requests second;
  second.emplace_back(get_of(kube::leases(), lease.ns, lease.name));
  auto of_name = sample();
  of_name.emplace_back("fieldSelector", "metadata.name=" + lease.name);
  second.emplace_back(list_of(kube::leases(), "", std::move(of_name)));
  co_await reader.read(second);
  lease.second = std::move(second[0].reply);
  lease.of_all_namespaces = std::move(second[1].reply);
  lease.now = reader.server_now();
  if (statusz) lease.problem = problem_of_manager(*statusz);
  check_lease(lease, findings);
}

std::string holder_of(const std::optional<LeaseFacts>& lease) {
  return lease && lease->first ? holder_of(lease->first->root()) : "";
}

void check_lease(const LeaseFacts& facts, Findings& findings) {
  const auto subject = "leases/" + facts.name;
  check_other_namespaces(facts, findings);
  const auto& reading = facts.second;
  if (!reading) {
    const bool is_missing = kube::is_not_found(reading.error());
    if (!is_missing) findings.add_unreadable(Area::kLease, reading.error());
    if (is_missing && facts.replicas > 0) add_unheld("lease-missing", facts, "", findings);
    const auto lease = facts.ns + "/" + facts.name;
    if (is_missing && facts.replicas == 0) {
      findings.summarize(Area::kLease, "no manager leads: " + lease + " does not exist");
    } else {
      findings.summarize(Area::kLease, lease + (is_missing ? " does not exist" : " is unknown"));
    }
    return;
  }
  const auto lease = reading->root();
  const auto holder = holder_of(lease);
  const auto age = age_of(lease, facts.now);
  findings.summarize(
      Area::kLease, facts.ns + "/" + facts.name + (holder.empty() ? " has no holder" : " is held by " + holder) +
                        (age ? ", renewed " + std::to_string(std::max<std::int64_t>(age->count(), 0)) + " s ago" : ""));
  check_writer_clock(lease, subject, findings);
  if (facts.first) {
    const auto before = facts.first->root();
    if (!holder_of(before).empty() && !holder.empty() &&
        (holder_of(before) != holder || transitions_of(before) != transitions_of(lease))) {
      findings.add("lease-contended", subject, holder_of(before) + " and " + holder);
    }
  }
  if (holder.empty()) {
    if (facts.replicas > 0) add_unheld("lease-released", facts, "", findings);
  } else if (is_expired(lease, facts.now)) {
    if (facts.replicas > 0 || !facts.has_deployment) {
      add_unheld("lease-expired", facts,
                 "held by " + holder + (age ? ", renewed " + std::to_string(age->count()) + " s ago" : ""), findings);
    }
  } else if (facts.has_deployment && facts.are_pods_known && !is_held_by_pod(facts, holder)) {
    findings.add("lease-holder-elsewhere", subject, "held by " + holder);
  }
}

}  // namespace keelson::doctor
