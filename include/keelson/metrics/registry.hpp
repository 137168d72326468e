// Registry: counters, gauges and histograms, and their text for Prometheus.
//
// Room `metrics` counts what services do, and formats it for /metrics. The room has no globals: `main` owns the only
// Registry, passes it by reference, and it outlives all families, children and hooks.
//
// A service resolves its series once, in its constructor, so that counting is an addition without a lookup. Values that
// are cheaper to compute at a scrape are set in a hook.
//
// Names and label names are constants of the program: an invalid one, or a name that is used with other labels, buckets
// or another type, fails an assertion. Label values may be any text. Nothing here waits, so there is no cancellation;
// all calls happen on the loop's thread.
//
// Example (test/examples/metrics.cpp#registry):
//   // The metrics of a service, which resolves its series once, in its constructor.
//   class CacheMetrics {
//    public:
//     CacheMetrics(metrics::Registry& registry, const std::string& kind)
//         : relists_(registry.counter("relists_total", "Total number of relists by kind.", {"kind"}).with({kind})),
//           objects_(registry.gauge("objects", "Current number of objects by kind.", {"kind"}).with({kind})),
//           hook_(registry.on_scrape([this] { objects_.set(static_cast<double>(count_)); })) {}
//
//     void relisted() { relists_.increment(); }
//     void added() { ++count_; }
//
//    private:
//     std::size_t count_ = 0;
//     metrics::Counter& relists_;
//     metrics::Gauge& objects_;
//     metrics::ScrapeHook hook_;  // the last member: it ends first
//   };
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/detail/metrics/family.hpp"

namespace keelson::metrics {

// The handle of a function that runs before each scrape, until the handle is destroyed. The registry must outlive it
// (asserted), and so must everything that the function refers to.
class ScrapeHook {
 public:
  ScrapeHook() = default;
  ScrapeHook(ScrapeHook&&) noexcept = default;
  ScrapeHook& operator=(ScrapeHook&&) noexcept = default;

 private:
  friend class Registry;
  explicit ScrapeHook(std::shared_ptr<std::function<void()>> run) : run_(std::move(run)) {}
  // The only owner: the registry has a weak_ptr, so that destroying the handle is enough.
  std::shared_ptr<std::function<void()>> run_;
};

// The description of a family, for the generated page of metrics.
struct FamilyFacts {
  std::string name;
  std::string help;
  std::string_view type;  // "counter", "gauge", "histogram"
  std::vector<std::string> label_names;
};

// The current value of a series, for pages that people read.
struct Sample {
  std::vector<std::string> labels;  // the values, in the order of the family's label names
  double value = 0;                 // of a histogram: the sum of all observed values
  // Only of a histogram: upper bounds with the number of values up to each, the last one +Inf with all values.
  std::vector<std::pair<double, std::uint64_t>> buckets = {};
};

// All metrics of a program.
class Registry {
 public:
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // The family with this name, created by the first call. `help` is that of the first call; labels, buckets and type
  // must be the same in each call (asserted). The registry owns the family.
  CounterFamily& counter(std::string_view name, std::string_view help, std::vector<std::string> label_names);
  GaugeFamily& gauge(std::string_view name, std::string_view help, std::vector<std::string> label_names);
  // `buckets` are the upper bounds in ascending order, without +Inf, and at least one.
  HistogramFamily& histogram(std::string_view name, std::string_view help, std::vector<std::string> label_names,
                             std::vector<double> buckets);

  // Runs `run` before each scrape, for series that are cheaper to compute then. `run` may create and destroy hooks.
  [[nodiscard]] ScrapeHook on_scrape(std::function<void()> run);

  // The body of /metrics in text format 0.0.4, byte for byte as Go's client writes it: families ordered by name,
  // children by label values, without families that have no children. Runs the hooks first.
  [[nodiscard]] std::string text();

  // The children of the family `name` in the order of their label values; empty if there is no such family. It does
  // not run the hooks, so that gauges have the value of the last scrape.
  [[nodiscard]] std::vector<Sample> samples(std::string_view name) const;

  // All families ordered by name, also those without children: everything that a scrape can contain.
  [[nodiscard]] std::vector<FamilyFacts> families() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The Content-Type of `text()`.
inline constexpr std::string_view kTextContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace keelson::metrics
