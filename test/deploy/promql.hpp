// The series and labels that a PromQL expression names: enough of the language to check dashboards and alerts.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::testing {

struct NamedSeries {
  std::string name;
  std::set<std::string> labels;  // of its selector
};

struct NamedByPromql {
  std::vector<NamedSeries> series;
  std::set<std::string> labels;  // of by (…), on (…) and similar clauses
};

[[nodiscard]] NamedByPromql named_by(std::string_view expression);

}  // namespace keelson::testing
