#include "src/doctor/examination.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "src/doctor/limits.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

bool are_disjoint(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  return std::find_first_of(left.begin(), left.end(), right.begin(), right.end()) == left.end();
}

// Two managers with these flags reconcile different objects.
bool are_separate(const DeployedFlags& left, const DeployedFlags& right) {
  if (left.are_in_file || right.are_in_file) return false;
  const auto& namespaces = left.watch_namespaces;
  const auto& others = right.watch_namespaces;
  return are_disjoint(left.controllers, right.controllers) ||
         (!namespaces.empty() && !others.empty() && are_disjoint(namespaces, others));
}

}  // namespace

awaitable<void> Examination::examine_deployment() {
  auto query = sample();
  if (examined_.ns.empty()) query.emplace_back("labelSelector", kManagerLabel);
  co_await read_pages(kube::deployments(), examined_.ns, std::move(query), deployments_);
  choose_deployment();
  apply_flags();
  compare_other_deployments();
  auto& findings = report_.findings;
  pods_.emplace_back(get_of({"", "v1", "Namespace", "namespaces", false}, "", report_.ns));
  if (has_deployment()) {
    auto of_deployment = sample();
    of_deployment.emplace_back("labelSelector", deployed_.pod_selector);
    pods_.emplace_back(list_of(kube::pods(), deployed_.ns, std::move(of_deployment)));
  }
  co_await reader_.read(pods_);
  const auto& space = pods_.front().reply;
  if (space && !text_at(space->root(), {"metadata", "deletionTimestamp"}).empty()) {
    findings.add("namespace-terminating", "namespaces/" + report_.ns);
  }
  for (const auto& pods : pods_) {
    if (!pods.reply) findings.add_unreadable(Area::kDeployment, pods.reply.error());
  }
  if (!has_deployment()) co_return;
  check_deployment(deployment_, examined_.version, findings);
  if (pods_.back().reply) check_pods(deployment_, pods_.back().reply->root(), server_now(), findings);
}

void Examination::choose_deployment() {
  auto& findings = report_.findings;
  const auto& last = deployments_.back().reply;
  if (!last) {
    findings.add_unreadable(Area::kDeployment, last.error());
    return;
  }
  std::vector<json::View> found;
  for (const auto& page : deployments_) {
    const auto of_page = deployments_of(page.reply->root(), examined_.name);
    found.insert(found.end(), of_page.begin(), of_page.end());
  }
  if (found.empty()) {
    findings.add("manager-not-deployed", "", examined_.ns.empty() ? "" : "namespace " + examined_.ns);
    return;
  }
  // A Deployment with kubebuilder's label is the manager; the operator may have others in its namespace.
  const auto is_manager = [](json::View view) {
    return text_at(view, {"metadata", "labels", "control-plane"}) == "controller-manager";
  };
  if (std::any_of(found.begin(), found.end(), is_manager)) std::erase_if(found, std::not_fn(is_manager));
  const auto is_preferred = [this](json::View view) { return text_at(view, {"metadata", "namespace"}) == report_.ns; };
  const auto preferred = std::find_if(found.begin(), found.end(), is_preferred);
  deployment_ = preferred == found.end() ? found.front() : *preferred;
  deployed_ = describe_deployment(deployment_);
  report_.ns = deployed_.ns;
  report_.deployment = deployed_.name;
  for (const auto other : found) {
    const bool is_chosen = text_at(other, {"metadata", "namespace"}) == deployed_.ns &&
                           text_at(other, {"metadata", "name"}) == deployed_.name;
    if (!is_chosen) others_.push_back(other);
  }
}

// Without a Deployment the flags have their defaults.
void Examination::apply_flags() {
  auto flags = examined_.parse_flags(deployed_.manager);
  if (has_deployment()) check_flags(deployed_, flags, report_.findings);
  has_flags_ = flags.has_value();
  if (!flags) flags = examined_.parse_flags({});
  if (flags) flags_ = std::move(*flags);
  useful_ = useful_permissions(examined_);
  const auto& selected = flags_.controllers;
  std::erase_if(examined_.controllers, [&](const auto& definition) {
    return std::find(selected.begin(), selected.end(), definition.name()) == selected.end();
  });
  examined_.webhooks = controller::webhooks_of(examined_.controllers, examined_.webhooks);
}

// Two managers may work in one cluster if no object is of both.
void Examination::compare_other_deployments() {
  for (const auto view : others_) {
    const auto other = describe_deployment(view);
    const auto flags = examined_.parse_flags(other.manager);
    if (flags && has_flags_ && are_separate(flags_, *flags)) {
      separate_namespaces_.push_back(flags->lease_namespace.empty() ? other.ns : flags->lease_namespace);
    } else {
      report_.findings.add("several-deployments", "deployments/" + deployed_.name,
                           "also " + other.ns + "/" + other.name);
    }
  }
}

std::string Examination::lease_namespace() const {
  return flags_.lease_namespace.empty() ? report_.ns : flags_.lease_namespace;
}

}  // namespace keelson::doctor
