// Fills the cluster of KUBECONFIG with pods, 32 requests at once, and prints the rate: kube_pods COUNT.
//
// Existing pods are not changed.
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/kube/client.hpp"
#include "test/bench/cluster_client.hpp"
#include "test/bench/pod_body.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr int kAtOnce = 32;

struct Progress {
  int count = 0;
  int next = 0;
  int failures = 0;
};

kube::Resource namespaces() { return {"", "v1", "Namespace", "namespaces", false}; }

asio::awaitable<void> make_namespaces(bench::ClusterClient& cluster) {
  for (int i = 0; i < bench::kPodNamespaces; ++i) {
    auto body = R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + bench::pod_namespace(i) + R"("}})";
    auto made = co_await kube::create(*cluster.client, namespaces(), "", body);
    if (!made && !kube::is_already_exists(made.error())) bench::ClusterClient::give_up(made.error());
  }
}

Task<void> claim(bench::ClusterClient& cluster, int index) {
  kube::ApiRequest request;
  request.verb = kube::Verb::kPatch;
  request.patch_type = kube::PatchType::kApply;
  request.resource = kube::pods();
  request.key = kube::Key(bench::pod_namespace(index), bench::pod_name(index));
  request.query = {{"fieldManager", "kube-controller-manager"}, {"force", "true"}};
  request.body = bench::pod_claim(index);
  auto reply = co_await cluster.client->send(std::move(request));
  if (!reply) co_return std::move(reply.error());
  co_return Result<void>();
}

Task<void> make_pod(bench::ClusterClient& cluster, int index) {
  auto ns = bench::pod_namespace(index);
  for (;;) {
    auto made = co_await kube::create(*cluster.client, kube::pods(), ns, bench::pod_body(index));
    if (made) break;
    if (kube::is_already_exists(made.error())) co_return Result<void>();
    // Until the controller manager has created the namespace's service account.
    if (!kube::is_forbidden(made.error())) co_return std::move(made.error());
    co_await async::sleep_for(*cluster.clock, 200ms);
  }
  auto claimed = co_await claim(cluster, index);
  if (!claimed) co_return claimed;
  auto told = co_await kube::patch(*cluster.client, kube::pods(), kube::Key(ns, bench::pod_name(index)),
                                   kube::PatchType::kMerge, bench::pod_status(), "status");
  if (!told) co_return std::move(told.error());
  co_return Result<void>();
}

asio::awaitable<void> work(bench::ClusterClient& cluster, Progress& progress) {
  while (progress.next < progress.count) {
    auto index = progress.next++;
    auto made = co_await make_pod(cluster, index);
    if (made) continue;
    if (++progress.failures <= 3) std::fprintf(stderr, "%s\n", made.error().message().c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  Progress progress;
  progress.count = argc > 1 ? std::atoi(argv[1]) : 20000;
  bench::ClusterClient cluster("bench-loader");
  auto began = async::BootClock::now();
  {
    async::TaskGroup tasks(cluster.loop.get_executor());
    tasks.spawn(make_namespaces(cluster));
    cluster.loop.run();
    cluster.loop.restart();
    for (int i = 0; i < kAtOnce; ++i) tasks.spawn(work(cluster, progress));
    cluster.loop.run();
  }
  auto seconds = std::chrono::duration<double>(async::BootClock::now() - began).count();
  std::printf("%d pods made in %.1f s, %d failures\n", progress.count, seconds, progress.failures);
  return progress.failures == 0 ? 0 : 1;
}
