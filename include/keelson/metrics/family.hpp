// One metric name and its children, one for each set of label values.
//
// A family holds at most limits::kLabelSetsPerFamily children; what comes after them shares one child whose label
// values are all "exceeded_cardinality_limit". A child's reference is good until it is removed.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace keelson::metrics {

class Counter {
 public:
  explicit Counter(prometheus::Counter& cell) : cell_(cell) {}
  // `amount` is not negative.
  void increment(double amount = 1);
  // For totals that are counted elsewhere (the kernel); smaller ones than before are ignored.
  void advance_to(double total);
  [[nodiscard]] double value() const;

 private:
  prometheus::Counter& cell_;
};

class Gauge {
 public:
  explicit Gauge(prometheus::Gauge& cell) : cell_(cell) {}
  void set(double value);
  void add(double amount);
  [[nodiscard]] double value() const;

 private:
  prometheus::Gauge& cell_;
};

class Histogram {
 public:
  explicit Histogram(prometheus::Histogram& cell) : cell_(cell) {}
  void observe(double value);

 private:
  prometheus::Histogram& cell_;
};

template <class Child>
class Family {
 public:
  struct State;
  explicit Family(std::unique_ptr<State> state);
  ~Family();
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  // The child for these values, in the order of the family's label names; made when first asked for.
  Child& with(std::initializer_list<std::string_view> label_values);
  // Ends a series (a queue that is gone). Nobody may hold the child any more; unknown values are ignored.
  void remove(std::initializer_list<std::string_view> label_values);

 private:
  friend class Registry;
  std::unique_ptr<State> state_;
};

using CounterFamily = Family<Counter>;
using GaugeFamily = Family<Gauge>;
using HistogramFamily = Family<Histogram>;

}  // namespace keelson::metrics
