// The findings of `manager doctor`: a single table of what can be wrong, with its cause and its remedy.
//
// The command, docs/reference/doctor.md and the tables of docs/troubleshooting.md have their words from here. A check
// adds a finding by its id, which scripts match on: do not rename an id. All types are plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/error.hpp"

namespace keelson::doctor {

// kNote is information and affects nothing. kUnknown: a check could not be made, often for lack of a permission of the
// user that runs the command. kWarning: it works, but not as intended. kError: something does not work.
enum class Severity : std::uint8_t { kOk, kNote, kUnknown, kWarning, kError };
[[nodiscard]] std::string_view name_of(Severity severity);

// The part of the installation that a check examines, in the order of the report.
enum class Area : std::uint8_t {
  kApiServer,
  kDeployment,
  kKinds,
  kPermissions,
  kLease,
  kWebhooks,
  kMetrics,
  kWatches,
  kWriters,
  kObjects,
};
inline constexpr std::size_t kAreas = 10;
[[nodiscard]] std::string_view name_of(Area area);

// A row of the table.
struct FindingKind {
  std::string_view id;  // "crd-missing"
  Area area;            // of check-failed and check-forbidden the finding has another one
  Severity severity;
  std::string_view text;  // what is wrong, without the subject
  std::string_view cause;
  // In Markdown. The words NAMESPACE, DEPLOYMENT and NAME stand for those of the finding.
  std::string_view remedy;
};
[[nodiscard]] std::span<const FindingKind> finding_kinds();
// Null for an unknown id.
[[nodiscard]] const FindingKind* find_kind(std::string_view id);

struct Finding {
  const FindingKind* kind = nullptr;
  Area area = Area::kApiServer;
  std::string subject;  // "customresourcedefinitions/memcacheds.memcached.cache.example.com"; may be empty
  std::string detail;   // the values that the check read; may be empty
};

// What the checks have found. Equal findings are stored once. A finding beyond the tenth of its id in an area is
// counted and not stored.
class Findings {
 public:
  // `id` must be in the table (asserted).
  void add(std::string_view id, std::string subject = "", std::string detail = "");
  // For a request that failed: check-forbidden, check-failed, or api-server-unreachable, which is added once.
  void add_unreadable(Area area, const Error& error);
  // A sentence about an area for the report: what was examined, or why nothing was.
  void summarize(Area area, std::string summary);

  [[nodiscard]] const std::vector<Finding>& all() const { return all_; }
  [[nodiscard]] const std::string& summary(Area area) const { return summaries_[static_cast<std::size_t>(area)]; }
  // The number of findings of this id that are not stored.
  [[nodiscard]] std::size_t omitted(std::string_view id) const;
  [[nodiscard]] bool has(std::string_view id) const;
  // The worst severity in an area, or of all findings.
  [[nodiscard]] Severity worst(Area area) const;
  [[nodiscard]] Severity worst() const;

 private:
  void add_in(Area area, const FindingKind& kind, std::string subject, std::string detail);

  std::vector<Finding> all_;
  std::map<std::pair<const FindingKind*, Area>, std::size_t> counts_;
  std::vector<std::string> summaries_ = std::vector<std::string>(kAreas);
};

}  // namespace keelson::doctor
