#include "keelson/access/manager_pages.hpp"
#include "keelson/async/timeout.hpp"
#include "src/doctor/cache_check.hpp"
#include "src/doctor/examination.hpp"
#include "src/doctor/limits.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

awaitable<void> Examination::examine_caches() {
  if (!has_deployment() || !pods_.back().reply) co_return;
  const auto holder = lease_ && lease_->first ? text_at(lease_->first->root(), {"spec", "holderIdentity"}) : "";
  const auto items = pods_.back().reply->root().find("items").items();
  const auto pods = access::manager_pods({items.begin(), items.end()}, holder);
  if (pods.empty()) co_return;
  Reading statusz = timeout_error("no answer within " + std::to_string(limits::kStatuszTime.count()) + "s");
  co_await async::finish_within(clock_, limits::kStatuszTime, read_statusz(pods.front(), statusz));
  check_caches(statusz, report_.findings);
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

}  // namespace keelson::doctor
