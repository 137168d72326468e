#include "src/metrics/text.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"

namespace keelson::metrics {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;

enum class Quotes { kKeep, kEscape };

void append_escaped(std::string& out, std::string_view text, Quotes quotes) {
  for (char c : text) {
    if (c == '\n') {
      out.append("\\n");
      continue;
    }
    if (c == '\\' || (c == '"' && quotes == Quotes::kEscape)) out.push_back('\\');
    out.push_back(c);
  }
}

void append_label(std::string& out, std::string_view name, std::string_view value) {
  if (out.back() != '{') out.push_back(',');
  out.append(name).append("=\"");
  append_escaped(out, value, Quotes::kEscape);
  out.push_back('"');
}

// `le` is last, after all other labels; it is empty except for buckets.
void append_sample(std::string& out, std::string_view name, std::string_view suffix, const ClientMetric& metric,
                   std::string_view le, double value) {
  out.append(name).append(suffix);
  if (!metric.label.empty() || !le.empty()) {
    out.push_back('{');
    for (const auto& label : metric.label) append_label(out, label.name, label.value);
    if (!le.empty()) append_label(out, "le", le);
    out.push_back('}');
  }
  out.append(" ").append(base::format_go_number(value)).append("\n");
}

void append_histogram(std::string& out, std::string_view name, const ClientMetric& metric) {
  for (const auto& bucket : metric.histogram.bucket) {
    append_sample(out, name, "_bucket", metric, base::format_go_number(bucket.upper_bound),
                  static_cast<double>(bucket.cumulative_count));
  }
  append_sample(out, name, "_sum", metric, "", metric.histogram.sample_sum);
  append_sample(out, name, "_count", metric, "", static_cast<double>(metric.histogram.sample_count));
}

std::string_view type_name(MetricType type) {
  if (type == MetricType::Counter) return "counter";
  if (type == MetricType::Gauge) return "gauge";
  KEELSON_ASSERT(type == MetricType::Histogram);
  return "histogram";
}

bool values_before(const ClientMetric& left, const ClientMetric& right) {
  return std::lexicographical_compare(left.label.begin(), left.label.end(), right.label.begin(), right.label.end(),
                                      [](const auto& a, const auto& b) { return a.value < b.value; });
}

}  // namespace

void append_family_text(std::string& out, prometheus::MetricFamily family) {
  out.append("# HELP ").append(family.name).append(" ");
  append_escaped(out, family.help, Quotes::kKeep);
  out.append("\n# TYPE ").append(family.name).append(" ").append(type_name(family.type)).append("\n");
  std::ranges::sort(family.metric, values_before);
  for (const auto& metric : family.metric) {
    if (family.type == MetricType::Histogram) {
      append_histogram(out, family.name, metric);
    } else {
      bool counter = family.type == MetricType::Counter;
      append_sample(out, family.name, "", metric, "", counter ? metric.counter.value : metric.gauge.value);
    }
  }
}

}  // namespace keelson::metrics
