// Fills the cluster of KUBECONFIG with CronJobs like the sample that fire once a year, 32 requests at once:
// kube_cronjobs COUNT. Prints the rate.
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "keelson/async/task_group.hpp"
#include "keelson/kube/client.hpp"
#include "test/bench/cluster_client.hpp"

namespace {

using namespace keelson;
namespace asio = boost::asio;

constexpr int kAtOnce = 32;

struct Progress {
  int count = 0;
  int next = 0;
  int failures = 0;
};

std::string cronjob(int index) {
  return R"({"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"name":"cronjob-sample-)" +
         std::to_string(index) +
         R"(","labels":{"app.kubernetes.io/name":"cronjob","app.kubernetes.io/instance":"cronjob-sample",)"
         R"("app.kubernetes.io/part-of":"keelson","app.kubernetes.io/managed-by":"kustomize",)"
         R"("app.kubernetes.io/created-by":"keelson"}},"spec":{"schedule":"0 0 1 1 *","startingDeadlineSeconds":60,)"
         R"("concurrencyPolicy":"Allow","jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"hello",)"
         R"("image":"busybox","args":["/bin/sh","-c","date; echo Hello from the Kubernetes cluster"]}],)"
         R"("restartPolicy":"OnFailure"}}}}}})";
}

asio::awaitable<void> work(bench::ClusterClient& cluster, Progress& progress) {
  const kube::Resource cronjobs("batch.tutorial.kubebuilder.io", "v1", "CronJob", "cronjobs");
  while (progress.next < progress.count) {
    auto index = progress.next++;
    auto made = co_await kube::create(*cluster.client, cronjobs, "default", cronjob(index));
    if (made || kube::is_already_exists(made.error())) continue;
    if (++progress.failures <= 3) std::fprintf(stderr, "%s\n", made.error().message().c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  Progress progress;
  progress.count = argc > 1 ? std::atoi(argv[1]) : 100000;
  bench::ClusterClient cluster("bench-loader");
  auto began = async::BootClock::now();
  {
    async::TaskGroup tasks(cluster.loop.get_executor());
    for (int i = 0; i < kAtOnce; ++i) tasks.spawn(work(cluster, progress));
    cluster.loop.run();
  }
  auto seconds = std::chrono::duration<double>(async::BootClock::now() - began).count();
  std::printf("%d CronJobs made in %.1f s, %d failures\n", progress.count, seconds, progress.failures);
  return progress.failures == 0 ? 0 : 1;
}
