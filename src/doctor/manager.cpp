#include "src/doctor/manager.hpp"

#include <cstdint>
#include <utility>

#include "keelson/detail/access/manager_pages.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/counted.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// Pods of the manager that are asked until one answers.
constexpr std::size_t kAskedPods = 3;

// The /statusz of the manager, through the API server: a port that a firewall closes must not delay the other checks.
constexpr std::chrono::seconds kStatuszTime{4};

// cache-stale has it, with its cause.
bool is_about_failing_watch(std::string_view what) { return what.starts_with("Watch of ") && what.ends_with(" fails"); }

// The finding about the lease has it, with its cause.
bool is_about_lease(std::string_view what, const Findings& findings) {
  return what.starts_with("Lease ") &&
         (findings.has("lease-expired") || findings.has("lease-released") || findings.has("lease-missing"));
}

// The API server names the permission. A proxy on the way to the pod answers with 403 and words of its own.
bool lacks_permission(const Error& error) {
  return kube::is_forbidden(error) && error.server_text.find(" cannot ") != std::string::npos;
}

// Objects of one kind with one condition are a group. Anything else is alone.
std::string group_of_item(json::View item) {
  const auto key = text_at(item, {"key"});
  return key.empty() ? "" : text_at(item, {"kind"}) + " " + text_at(item, {"condition"});
}

bool is_examined(json::View item, const std::set<std::string>& examined) {
  const auto resource = text_at(item, {"resource"});
  const auto key = text_at(item, {"key"});
  return examined.contains(resource) || (!key.empty() && examined.contains(resource + "/" + key));
}

awaitable<void> read_statusz(kube::Client& client, const Installation& installation, access::ManagerPod pod,
                             Reading& statusz) {
  kube::ApiRequest page;
  page.raw_path = "/statusz";
  page.headers = {{"Accept", "application/json"}};
  auto reply = co_await access::read_page(client, installation.ns, std::move(pod), std::move(page),
                                          installation.examined.name.text());
  if (reply) {
    statusz = json::Document::parse(reply->body);
  } else {
    statusz = std::move(reply).error();
  }
}

}  // namespace

awaitable<void> ask_manager(kube::Client& client, async::Clock& clock, const Installation& installation,
                            std::string holder, ManagerPage& page, Findings& findings) {
  if (!installation.pods) {
    findings.skip(Area::kManager, "not asked: its pods are unknown");
    co_return;
  }
  const auto items = installation.pods->root().find("items").items();
  auto pods = access::manager_pods({items.begin(), items.end()}, holder);
  if (pods.empty()) {
    findings.summarize(Area::kManager, "not asked: no pod is running");
    co_return;
  }
  if (pods.size() > kAskedPods) pods.resize(kAskedPods);
  for (const auto& pod : pods) {
    page.statusz = timeout_error("no answer within " + std::to_string(kStatuszTime.count()) + "s");
    page.pod = pod.name;
    co_await async::finish_within(clock, kStatuszTime, read_statusz(client, installation, pod, *page.statusz));
    if (*page.statusz) break;
  }
}

void check_attention(const std::string& pod, const Reading& statusz, const std::set<std::string>& examined,
                     Findings& findings) {
  if (!statusz) {
    const auto& error = statusz.error();
    if (lacks_permission(error)) {
      findings.add_unreadable(Area::kManager, error);
    } else {
      findings.add("manager-not-asked", "pods/" + pod, error.message());
    }
    return;
  }
  const auto root = statusz->root();
  const auto attention = root.find("attention");
  if (attention.is_absent()) {
    findings.add("manager-not-asked", "pods/" + pod, "its version has no list of problems in its /statusz");
    return;
  }
  std::size_t items = 0;
  for (const auto item : attention.items()) {
    const auto what = text_at(item, {"what"});
    ++items;
    if (is_about_failing_watch(what) || is_about_lease(what, findings) || is_examined(item, examined)) continue;
    findings.add("manager-attention", what, text_at(item, {"details"}), group_of_item(item));
  }
  findings.summarize(Area::kManager, "pods/" + pod + " reports " + base::counted(items, "problem"));
}

}  // namespace keelson::doctor
