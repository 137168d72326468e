// Which series and labels a PromQL expression names: enough of the language to hold dashboards and alerts to what there
// is.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::test {

struct NamedSeries {
  std::string name;
  std::set<std::string> labels;  // that it is selected by
};

struct NamedByPromql {
  std::vector<NamedSeries> series;
  std::set<std::string> labels;  // of by (…), on (…) and their like
};

[[nodiscard]] NamedByPromql named_by(std::string_view expression);

}  // namespace keelson::test
