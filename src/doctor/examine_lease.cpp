#include "src/doctor/examination.hpp"

#include <utility>

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// A holder renews its lease every two seconds.
constexpr std::chrono::milliseconds kLeaseObservation{2500};

// Why the manager cannot read or write the lease, by its /statusz. If the API server does not accept its credentials,
// it cannot authenticate the request for a protected page either, and the reply says so (access/visit_policy.cpp).
std::string problem_of_manager(const Reading& statusz) {
  if (statusz) return text_at(statusz->root(), {"leader", "problem"});
  const auto text = statusz.error().message();
  return text.find("401 Unauthorized") == std::string::npos ? "" : text;
}

}  // namespace

awaitable<void> Examination::begin_lease() {
  const auto replicas = static_cast<int>(deployment_.at({"spec", "replicas"}).integer().value_or(has_deployment()));
  if (!deployments_.back().reply) {
    // The lease would be searched in a namespace that is not the manager's.
    report_.findings.skip(Area::kLease, "not examined: the Deployment of the manager is unknown");
    co_return;
  }
  if (has_deployment() && flags_.are_in_file) {
    report_.findings.skip(Area::kLease, "not examined: the flags are in a file");
    co_return;
  }
  if (has_deployment() && !flags_.leader_elect) {
    if (replicas > 1) report_.findings.add("replicas-without-lease", "deployments/" + deployed_.name);
    report_.findings.summarize(Area::kLease, "leader election is off");
    co_return;
  }
  lease_.emplace();
  lease_->ns = lease_namespace();
  lease_->name = flags_.lease_name;
  lease_->has_deployment = has_deployment();
  lease_->replicas = replicas;
  lease_->separate_namespaces = separate_namespaces_;
  lease_->are_pods_known = has_deployment() && pods_.back().reply.has_value();
  if (lease_->are_pods_known) {
    for (const auto pod : pods_.back().reply->root().find("items").items()) {
      const bool is_in_host_network = pod.at({"spec", "hostNetwork"}).boolean().value_or(false);
      lease_->pods.push_back(is_in_host_network ? text_at(pod, {"spec", "nodeName"})
                                                : text_at(pod, {"metadata", "name"}));
    }
  }
  Requests first;
  first.emplace_back(get_of(kube::leases(), lease_->ns, lease_->name));
  co_await reader_.read(first);
  lease_->first = std::move(first.front().reply);
  lease_begun_ = clock_.now();
}

awaitable<void> Examination::end_lease() {
  if (!lease_) co_return;
  if (lease_->first) co_await async::sleep_until(clock_, lease_begun_ + kLeaseObservation);
  Requests second;
  second.emplace_back(get_of(kube::leases(), lease_->ns, lease_->name));
  auto of_name = sample();
  of_name.emplace_back("fieldSelector", "metadata.name=" + lease_->name);
  second.emplace_back(list_of(kube::leases(), "", std::move(of_name)));
  co_await reader_.read(second);
  lease_->second = std::move(second[0].reply);
  lease_->of_all_namespaces = std::move(second[1].reply);
  lease_->now = server_now();
  if (statusz_) lease_->problem = problem_of_manager(*statusz_);
  check_lease(*lease_, report_.findings);
}

}  // namespace keelson::doctor
