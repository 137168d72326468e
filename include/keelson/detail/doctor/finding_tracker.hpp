// The changes of an installation's findings between reports, for `manager doctor --watch`.
//
// A tracker is a value: it stores the present findings, at most as many as a report has, with the time since which each
// is known.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/doctor/doctor.hpp"

namespace keelson::doctor {

struct FindingChange {
  bool is_found = true;  // false: it has cleared
  Finding finding;       // as it was found
  std::string remedy;
  async::WallTime since;  // when it was found
};

class FindingTracker {
 public:
  // What is new in the report of the time `now`, and then what has cleared. A finding that only has other values, such
  // as a count or an age, has not changed. A finding of an area that was not examined has not cleared.
  [[nodiscard]] std::vector<FindingChange> update(const Report& report, async::WallTime now);

 private:
  std::map<std::string, FindingChange> present_;
};

// A line for people: "2026-01-02T15:04:05Z  cleared  error  crd-missing  …, after 5m0s".
[[nodiscard]] std::string change_text(const FindingChange& change, async::WallTime now);
// A line of JSON (docs/doctor.md has the members).
[[nodiscard]] std::string change_json(const FindingChange& change, async::WallTime now);

}  // namespace keelson::doctor
