#include "src/doctor/watches.hpp"

#include <chrono>

#include "keelson/base/go_text.hpp"

namespace keelson::doctor {

namespace {

// "5m12s" of 312.53 seconds.
std::string duration_of(json::View seconds) {
  const std::chrono::seconds whole(static_cast<std::int64_t>(seconds.number().value_or(0)));
  return base::format_go_duration(whole);
}

}  // namespace

void check_caches(const Reading& statusz, Findings& findings) {
  auto summary = findings.summary(Area::kWatches);
  if (!summary.empty()) summary += "; ";
  const auto informers = statusz ? statusz->root().find("informers") : json::View();
  if (informers.size() == 0) {
    const auto* const reason = statusz ? "no caches in its /statusz" : "it was not asked";
    findings.summarize(Area::kWatches, summary + "those of the manager were not examined: " + reason);
    return;
  }
  int failing = 0;
  for (const json::View informer : informers.items()) {
    const auto problem = text_at(informer, {"problem"});
    if (problem.empty()) continue;
    ++failing;
    findings.add("cache-stale", text_at(informer, {"resource"}),
                 "for " + duration_of(informer.find("failingSeconds")) + ": " + problem, problem);
  }
  findings.summarize(Area::kWatches, summary + std::to_string(informers.size() - static_cast<std::size_t>(failing)) +
                                         " of " + std::to_string(informers.size()) +
                                         " caches of the manager are current");
}

}  // namespace keelson::doctor
