#include "src/doctor/cache_check.hpp"

#include <chrono>

#include "keelson/base/go_text.hpp"

namespace keelson::doctor {

namespace {

int health_port(json::View pod, int otherwise) {
  for (const json::View container : pod.at({"spec", "containers"}).items()) {
    for (const json::View port : container.find("ports").items()) {
      if (port.find("name").string() != "health") continue;
      return static_cast<int>(port.find("containerPort").integer().value_or(otherwise));
    }
  }
  return otherwise;
}

// "5m12s" of 312.53 seconds.
std::string duration_of(json::View seconds) {
  const std::chrono::seconds whole(static_cast<std::int64_t>(seconds.number().value_or(0)));
  return base::format_go_duration(whole);
}

}  // namespace

std::optional<HealthEndpoint> health_endpoint(json::View pods, std::string_view holder) {
  std::optional<HealthEndpoint> found;
  for (const json::View pod : pods.find("items").items()) {
    HealthEndpoint endpoint{text_at(pod, {"metadata", "name"})};
    const bool is_running = text_at(pod, {"status", "phase"}) == "Running" && !endpoint.pod.empty();
    const bool leads = holder.starts_with(endpoint.pod + "_");
    if (!is_running || (found && !leads)) continue;
    endpoint.port = health_port(pod, endpoint.port);
    found = std::move(endpoint);
  }
  return found;
}

void check_caches(const Reading& statusz, Findings& findings) {
  auto summary = findings.summary(Area::kWatches);
  if (!summary.empty()) summary += "; ";
  const auto informers = statusz ? statusz->root().find("informers") : json::View();
  if (informers.size() == 0) {
    const auto reason = statusz ? "no caches in its /statusz" : statusz.error().message();
    findings.summarize(Area::kWatches, summary + "those of the manager were not examined: " + reason);
    return;
  }
  int failing = 0;
  for (const json::View informer : informers.items()) {
    const auto problem = text_at(informer, {"problem"});
    if (problem.empty()) continue;
    ++failing;
    findings.add("cache-stale", text_at(informer, {"resource"}),
                 "for " + duration_of(informer.find("failingSeconds")) + ": " + problem);
  }
  findings.summarize(Area::kWatches, summary + std::to_string(informers.size() - static_cast<std::size_t>(failing)) +
                                         " of " + std::to_string(informers.size()) +
                                         " caches of the manager are current");
}

}  // namespace keelson::doctor
