#include "keelson/detail/metrics/names.hpp"

namespace keelson::metrics {

std::vector<double> reconcile_seconds_buckets() {
  return {0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,  1.25, 1.5,
          1.75,  2,    2.5,   3,    3.5, 4,    4.5, 5,    6,   7,    8,   9,    10,  15,  20,  25,  30,  40, 50,   60};
}

std::vector<double> workqueue_seconds_buckets() {
  // The bounds result from repeated multiplication, as in Go: literal bounds, and with them the `le` labels, would
  // differ in the last bit (Go's series have 9.999999999999999e-06).
  std::vector<double> bounds;
  double bound = 10e-9;
  for (int i = 0; i < 12; ++i, bound *= 10) bounds.push_back(bound);
  return bounds;
}

std::vector<double> request_seconds_buckets() { return {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60}; }

}  // namespace keelson::metrics
