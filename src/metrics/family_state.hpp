// The state of a Family: prometheus-cpp's family, and our children by their label values.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/metrics/registry.hpp"

namespace keelson::metrics {

template <class Child>
struct CellOf;
template <>
struct CellOf<Counter> {
  using Type = prometheus::Counter;
  static constexpr std::string_view kName = "counter";
};
template <>
struct CellOf<Gauge> {
  using Type = prometheus::Gauge;
  static constexpr std::string_view kName = "gauge";
};
template <>
struct CellOf<Histogram> {
  using Type = prometheus::Histogram;
  static constexpr std::string_view kName = "histogram";
};

template <class Child>
struct Family<Child>::State {
  using Cell = typename CellOf<Child>::Type;
  struct Member {
    explicit Member(Cell& c) : cell(&c), child(c) {}
    Cell* cell;
    Child child;
  };

  State(std::string name, std::string help_text, std::vector<std::string> names, std::vector<double> bounds)
      : help(std::move(help_text)), label_names(std::move(names)), buckets(std::move(bounds)), cells(name, help, {}) {}

  std::string help;
  std::vector<std::string> label_names;
  std::vector<double> buckets;  // only of histograms
  prometheus::Family<Cell> cells;
  // A map, because its nodes do not move when others are added and removed.
  std::map<std::vector<std::string>, Member> members;
};

}  // namespace keelson::metrics
