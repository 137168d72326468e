#include "keelson/doctor/doctor.hpp"

#include <utility>

#include "src/doctor/api_server.hpp"
#include "src/doctor/examination.hpp"
#include "src/doctor/limits.hpp"
#include "src/doctor/manager.hpp"
#include "src/doctor/watches.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

awaitable<void> examine(kube::Client& client, async::Clock& clock, Examined examined, Report& report) {
  Examination examination(client, clock, std::move(examined), report);
  co_await examination.run();
}

awaitable<void> Examination::run() {
  report_.program = examined_.program;
  report_.version = examined_.version;
  report_.server = examined_.server;
  report_.ns = examined_.ns.empty() ? examined_.default_ns : examined_.ns;
  auto& stage = report_.stage;
  stage = "the API server";
  co_await examine_server();
  if (ended_) co_return;
  stage = "the Deployment";
  co_await examine_deployment();
  co_await begin_lease();
  stage = "the running manager";
  co_await ask_manager();
  co_await examine_namespaces();
  stage = "kinds";
  co_await examine_kinds();
  stage = "permissions";
  co_await examine_permissions();
  stage = "webhooks";
  co_await examine_webhooks();
  stage = "metrics";
  co_await examine_metrics();
  stage = "watches";
  co_await examine_watches();
  if (statusz_) check_caches(*statusz_, report_.findings);
  stage = "children and objects";
  co_await examine_writers();
  co_await examine_objects();
  stage = "the lease";
  co_await end_lease();
  // After the objects and the lease, which have findings of their own.
  if (statusz_) check_attention(asked_, *statusz_, examined_objects_, report_.findings);
}

awaitable<void> Examination::examine_server() {
  kube::ApiRequest version;
  version.raw_path = "/version";
  StreamedReply answer;
  co_await reader_.stream(std::move(version), nullptr, answer);
  const auto now = clock_.wall_now();
  if (const auto date = parse_http_date(answer.date)) ahead_ = *date - now;
  ended_ = !check_server(answer, now, report_.findings);
  if (!ended_) co_return;
  for (std::size_t area = 1; area < kAreas; ++area) report_.findings.skip(static_cast<Area>(area), "");
}

awaitable<void> Examination::read_pages(kube::Resource resource, std::string ns, Query query, Requests& pages) {
  std::string token;
  for (int number = 0; number < limits::kSearchedPages; ++number) {
    auto of_page = query;
    if (!token.empty()) of_page.emplace_back("continue", token);
    Requests page;
    page.emplace_back(list_of(resource, ns, std::move(of_page)));
    co_await reader_.read(page);
    pages.push_back(std::move(page.front()));
    const auto& reading = pages.back().reply;
    token = reading ? text_at(reading->root(), {"metadata", "continue"}) : "";
    if (token.empty()) co_return;
  }
}

Query sample() { return {{"limit", std::to_string(limits::kSampledObjects)}}; }

kube::ApiRequest slices_of(const std::string& ns, const std::string& service) {
  return list_of({"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"}, ns,
                 {{"labelSelector", "kubernetes.io/service-name=" + service}});
}

void add_unless_missing(Area area, const Reading& reading, Findings& findings) {
  if (!reading && !kube::is_not_found(reading.error())) findings.add_unreadable(area, reading.error());
}

}  // namespace keelson::doctor
