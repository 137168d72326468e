// Sends admission reviews of the sample CronJob to a webhook server on this machine, as API servers do: over TLS, on
// connections that stay open, each with one review at a time.
//
// net_reviews PORT SECONDS prints for 1 and for 16 connections the reviews per second, and p50 and p99 of their
// duration.
#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/net/http_client.hpp"

namespace {

using namespace keelson;
namespace asio = boost::asio;

constexpr const char* kPath = "/mutate-batch-tutorial-kubebuilder-io-v1-cronjob";
constexpr const char* kReview =
    R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002",)"
    R"("kind":{"group":"batch.tutorial.kubebuilder.io","version":"v1","kind":"CronJob"},)"
    R"("resource":{"group":"batch.tutorial.kubebuilder.io","version":"v1","resource":"cronjobs"},"name":"cronjob-sample",)"
    R"("namespace":"default","operation":"CREATE","userInfo":{"username":"admin","groups":["system:authenticated"]},)"
    R"("object":{"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"name":"cronjob-sample",)"
    R"("namespace":"default","labels":{"app.kubernetes.io/name":"cronjob"}},"spec":{"schedule":"*/1 * * * *",)"
    R"("startingDeadlineSeconds":60,"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"hello",)"
    R"("image":"busybox","args":["/bin/sh","-c","date; echo Hello from the Kubernetes cluster"]}],)"
    R"("restartPolicy":"OnFailure"}}}}}},"oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions",)"
    R"("apiVersion":"meta.k8s.io/v1"}}})";

struct Load {
  asio::io_context& loop;
  net::HttpClient& client;
  async::TimePoint end;
  int connections;
  std::vector<double> milliseconds{};
  int failures = 0;
};

asio::awaitable<void> send_reviews(Load& load) {
  while (async::BootClock::now() < load.end) {
    net::Request request;
    request.method = "POST";
    request.target = kPath;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = kReview;
    const auto began = async::BootClock::now();
    const auto reply = co_await load.client.send(std::move(request), {});
    const std::chrono::duration<double, std::milli> took = async::BootClock::now() - began;
    load.milliseconds.push_back(took.count());
    const bool is_allowed = reply && reply->status == 200 && reply->body.find("\"allowed\":true") != std::string::npos;
    if (is_allowed) continue;
    if (++load.failures == 1) {
      std::fprintf(stderr, "%s\n", reply ? reply->body.c_str() : reply.error().message().c_str());
    }
    if (!reply) break;
  }
  // Timers of idle connections remain.
  if (--load.connections == 0) load.loop.stop();
}

double percentile(const std::vector<double>& sorted, double fraction) {
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(fraction * static_cast<double>(sorted.size())))];
}

int measure(const std::string& port, int connections, int seconds) {
  asio::io_context loop{1};
  const auto clock = async::make_real_clock(loop.get_executor());
  net::ClientOptions options;
  options.origin = {.tls = true, .host = "127.0.0.1", .port = port};
  options.tls.insecure_skip_verify = true;
  auto client = net::make_http_client(loop.get_executor(), *clock, std::move(options));
  if (!client) {
    std::fprintf(stderr, "%s\n", client.error().message().c_str());
    return 1;
  }
  Load load{loop, **client, async::BootClock::now() + std::chrono::seconds(seconds), connections};
  {
    async::TaskGroup tasks(loop.get_executor());
    for (int i = 0; i < connections; ++i) tasks.spawn(send_reviews(load));
    loop.run();
  }
  auto& times = load.milliseconds;
  if (times.empty()) return 1;
  std::ranges::sort(times);
  std::printf("reviews a second, %d connections\t%.0f\n", connections, static_cast<double>(times.size()) / seconds);
  std::printf("p50 with %d connections, ms\t%.2f\n", connections, percentile(times, 0.5));
  std::printf("p99 with %d connections, ms\t%.2f\n", connections, percentile(times, 0.99));
  if (load.failures > 0) std::fprintf(stderr, "%d reviews failed\n", load.failures);
  return load.failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int failed = 0;
  for (const int connections : {1, 16}) failed |= measure(argv[1], connections, std::atoi(argv[2]));
  return failed;
}
