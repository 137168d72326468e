// The existing series: those of a manager with all controllers, with the labels that Prometheus adds, and the few of
// Prometheus and of the API server that alerts use.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "src/kinds/built_in.hpp"
#include "test/deploy/promql.hpp"
#include "tools/reference/metric_families.hpp"

namespace keelson::testing {

class ShownSeries {
 public:
  ShownSeries() {
    for (const auto& family : reference::metric_families(kinds::built_in())) {
      std::set<std::string> labels(family.label_names.begin(), family.label_names.end());
      // Labels of the target; `pod` and `container` only if a Prometheus Operator finds it.
      labels.insert({"job", "instance", "namespace"});
      if (family.type != "histogram") {
        labels_[family.name] = labels;
        continue;
      }
      labels_[family.name + "_sum"] = labels_[family.name + "_count"] = labels;
      labels.insert("le");
      labels_[family.name + "_bucket"] = labels;
    }
    labels_["up"] = {"job", "instance", "namespace"};
    labels_["ALERTS"] = {"alertname", "alertstate", "severity", "job", "instance", "namespace", "group", "kind"};
    labels_["apiserver_admission_webhook_rejection_count"] = {"name", "operation", "type", "error_type",
                                                              "rejection_code"};
    labels_["apiserver_admission_webhook_fail_open_count"] = {"name", "type"};
  }

  // Fails the test for a series that no manager exposes, and for a label that its series does not have.
  void hold(std::string_view expression) const {
    INFO(expression);
    const auto named = named_by(expression);
    CHECK_FALSE(named.series.empty());
    for (const auto& series : named.series) {
      INFO("the series " << series.name);
      const auto found = labels_.find(series.name);
      CHECK(found != labels_.end());
      if (found == labels_.end()) continue;
      for (const auto& label : series.labels) {
        INFO("the label " << label);
        CHECK(found->second.contains(label));
      }
    }
    for (const auto& label : named.labels) hold_label(named, label);
  }

  // One of the expression's series has the label.
  void hold_label(const NamedByPromql& named, const std::string& label) const {
    INFO("the label " << label);
    bool is_there = false;
    for (const auto& series : named.series) {
      const auto found = labels_.find(series.name);
      is_there = is_there || (found != labels_.end() && found->second.contains(label));
    }
    CHECK(is_there);
  }

 private:
  std::map<std::string, std::set<std::string>> labels_;
};

}  // namespace keelson::testing
