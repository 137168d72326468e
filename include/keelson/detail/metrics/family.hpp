// Family: a metric name and its children, one for each set of label values. Registry creates families.
//
// A family has at most limits::kLabelSetsPerFamily children, because labels with unbounded values would exhaust the
// memory of the process and of Prometheus. Further label sets share a child whose label values are all
// "exceeded_cardinality_limit".
//
// Ownership: the registry owns families, and a family owns its children. References stay valid until the child is
// removed or the registry is destroyed. Counting on a child is an addition without a lookup.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string_view>
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

}  // namespace keelson::metrics
