// Counters, gauges and histograms, and the Prometheus text they are scraped as.
//
// One Registry, owned by main and passed by reference; it outlives every family, child and hook handed out.
// Families and children are resolved when a service is constructed, so that counting is one addition and no lookup:
//   auto& retries = registry.counter("workqueue_retries_total", "…", {"name", "controller"}).with({name, name});
// Names and label names are ours, so a bad one, or one name asked for with other labels or another type, is an
// assertion. Label values may be anything.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/metrics/family.hpp"

namespace keelson::metrics {

// While it lives its function runs before every scrape; it must die before the registry.
class ScrapeHook {
 public:
  ScrapeHook() = default;
  ScrapeHook(ScrapeHook&&) noexcept = default;
  ScrapeHook& operator=(ScrapeHook&&) noexcept = default;

 private:
  friend class Registry;
  explicit ScrapeHook(std::shared_ptr<std::function<void()>> run) : run_(std::move(run)) {}
  // Shared with nobody: the registry keeps a weak_ptr, so that forgetting the handle is enough.
  std::shared_ptr<std::function<void()>> run_;
};

// What a family is called and made of.
struct FamilyFacts {
  std::string name;
  std::string help;
  std::string_view type;  // "counter", "gauge", "histogram"
  std::vector<std::string> label_names;
};

class Registry {
 public:
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Asking again for a name gives the same family.
  CounterFamily& counter(std::string_view name, std::string_view help, std::vector<std::string> label_names);
  GaugeFamily& gauge(std::string_view name, std::string_view help, std::vector<std::string> label_names);
  // `buckets` are the upper bounds in ascending order, without +Inf.
  HistogramFamily& histogram(std::string_view name, std::string_view help, std::vector<std::string> label_names,
                             std::vector<double> buckets);

  // For gauges that are cheaper to compute when somebody looks.
  [[nodiscard]] ScrapeHook on_scrape(std::function<void()> run);

  // The body of /metrics in text format 0.0.4, byte for byte as Go's client writes it: families by name, children
  // by label values, families without children left out.
  [[nodiscard]] std::string text();

  // All families by name, those without children too: what a scrape may ever show.
  [[nodiscard]] std::vector<FamilyFacts> families() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What `text()` is served as.
inline constexpr std::string_view kTextContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace keelson::metrics
