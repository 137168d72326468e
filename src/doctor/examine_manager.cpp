#include <utility>

#include "keelson/access/manager_pages.hpp"
#include "keelson/async/timeout.hpp"
#include "src/doctor/examination.hpp"
#include "src/doctor/limits.hpp"
#include "src/doctor/manager.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

// The leader, or without an answer of it the next pods, for its Attention and its caches.
awaitable<void> Examination::ask_manager() {
  if (!has_deployment() || !pods_.back().reply) {
    report_.findings.skip(Area::kManager, "not asked: its pods are unknown");
    co_return;
  }
  const auto holder = lease_ && lease_->first ? text_at(lease_->first->root(), {"spec", "holderIdentity"}) : "";
  const auto items = pods_.back().reply->root().find("items").items();
  auto pods = access::manager_pods({items.begin(), items.end()}, holder);
  if (pods.empty()) {
    report_.findings.summarize(Area::kManager, "not asked: no pod is running");
    co_return;
  }
  if (pods.size() > limits::kAskedPods) pods.resize(limits::kAskedPods);
  for (const auto& pod : pods) {
    statusz_ = timeout_error("no answer within " + std::to_string(limits::kStatuszTime.count()) + "s");
    asked_ = pod.name;
    co_await async::finish_within(clock_, limits::kStatuszTime, read_statusz(pod, *statusz_));
    if (*statusz_) break;
  }
}

awaitable<void> Examination::read_statusz(access::ManagerPod pod, Reading& statusz) {
  kube::ApiRequest page;
  page.raw_path = "/statusz";
  page.headers = {{"Accept", "application/json"}};
  auto reply =
      co_await access::read_page(client_, deployed_.ns, std::move(pod), std::move(page), examined_.name.text());
  if (reply) {
    statusz = json::Document::parse(reply->body);
  } else {
    statusz = std::move(reply).error();
  }
}

// A namespace that does not exist has no objects, and its watch works.
awaitable<void> Examination::examine_namespaces() {
  auto names = flags_.watch_namespaces;
  if (names.size() > limits::kCheckedNamespaces) names.resize(limits::kCheckedNamespaces);
  Requests spaces;
  for (const auto& name : names) spaces.emplace_back(get_of({"", "v1", "Namespace", "namespaces", false}, "", name));
  co_await reader_.read(spaces);
  Requests all;
  for (const auto& space : spaces) {
    if (space.reply) continue;
    if (!kube::is_not_found(space.reply.error())) {
      report_.findings.add_unreadable(Area::kDeployment, space.reply.error());
      continue;
    }
    if (all.empty()) {
      all.emplace_back(list_of({"", "v1", "Namespace", "namespaces", false}, "", {{"limit", "500"}}));
      co_await reader_.read(all);
    }
    report_.findings.add("watch-namespace-missing", "namespaces/" + space.request.key.name,
                         similar_name(space.request.key.name, all.front().reply));
  }
}

}  // namespace keelson::doctor
