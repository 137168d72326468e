// Registry: counters, gauges and histograms, and their text for Prometheus.
//
// Room `metrics` counts what services do, and formats it for /metrics. The room has no globals: `main` owns the only
// Registry, passes it by reference, and it outlives all families, children and hooks. Series of room R:
// src/R/*_metrics.
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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace keelson::limits {

// Children of a metric family: a label with unbounded values must not exhaust the memory of the process.
inline constexpr std::size_t kLabelSetsPerFamily = 1000;

}  // namespace keelson::limits

namespace keelson::metrics {

// A total that only increases, such as a number of requests. Its name ends with "_total".
class Counter {
 public:
  explicit Counter(prometheus::Counter& cell) : cell_(cell) {}
  // `amount` must not be negative (asserted).
  void increment(double amount = 1);
  // For totals that are counted elsewhere, for example by the kernel. A total smaller than the current one is ignored.
  void advance_to(double total);
  // For tests.
  [[nodiscard]] double value() const;

 private:
  prometheus::Counter& cell_;
};

// A value that increases and decreases, such as the number of queued keys.
class Gauge {
 public:
  explicit Gauge(prometheus::Gauge& cell) : cell_(cell) {}
  void set(double value);
  // `amount` may be negative.
  void add(double amount);
  // For tests.
  [[nodiscard]] double value() const;

 private:
  prometheus::Gauge& cell_;
};

// The distribution of observed values over the buckets of its family, with their count and sum.
class Histogram {
 public:
  explicit Histogram(prometheus::Histogram& cell) : cell_(cell) {}
  // Counts a value, in the unit of the metric's name: seconds or bytes.
  void observe(double value);
  // For values that are counted elsewhere: how many fell into each bucket, the last one +Inf, and their sum. `counts`
  // has one value more than the family has upper bounds (asserted).
  void add(const std::vector<double>& counts, double sum);

 private:
  prometheus::Histogram& cell_;
};

// Child is Counter, Gauge or Histogram.
template <class Child>
class Family {
 public:
  // Of the implementation; only Registry creates families.
  struct State;
  explicit Family(std::unique_ptr<State> state);
  ~Family();
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  // The child with these values, in the order of the family's label names; their number must match (asserted). The
  // first call creates the child with the value 0, so the series is exported from then on. Invalid UTF-8 becomes
  // U+FFFD, because Prometheus rejects a whole scrape for a single invalid byte.
  Child& with(std::initializer_list<std::string_view> label_values);
  // Removes a series, for example that of a destroyed queue. References to the child become invalid. Unknown values are
  // ignored. A later with() starts again at 0.
  void remove(std::initializer_list<std::string_view> label_values);

 private:
  friend class Registry;
  std::unique_ptr<State> state_;
};

using CounterFamily = Family<Counter>;
using GaugeFamily = Family<Gauge>;
using HistogramFamily = Family<Histogram>;

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
