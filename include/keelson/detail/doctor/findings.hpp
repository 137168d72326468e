// The findings of `manager doctor`: a single table of what can be wrong, with its cause and its remedy.
//
// The command, docs/reference/doctor.md and the tables of docs/troubleshooting.md have their words from here. A check
// adds a finding by its id, which scripts match on: do not rename an id. All types are plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/detail/base/error.hpp"

namespace keelson::limits {

// Findings of one id that a report contains: a hundred objects with one problem are one problem.
inline constexpr std::size_t kFindingsOfAKind = 10;

}  // namespace keelson::limits

namespace keelson::doctor {

// kNote is information and affects nothing. kUnknown: a check could not be made, often for lack of a permission of the
// user that runs the command. kWarning: it works, but not as intended. kError: something does not work.
enum class Severity : std::uint8_t { kOk, kNote, kUnknown, kWarning, kError };
[[nodiscard]] std::string_view name_of(Severity severity);

// The part of the installation that a check examines, in the order of the report.
enum class Area : std::uint8_t {
  kApiServer,
  kDeployment,
  kManager,
  kKinds,
  kPermissions,
  kLease,
  kWebhooks,
  kMetrics,
  kWatches,
  kWriters,
  kObjects,
};
inline constexpr std::size_t kAreas = 11;
[[nodiscard]] std::string_view name_of(Area area);

// A row of the table.
struct FindingKind {
  std::string_view id;  // "crd-missing"
  Area area;            // of check-failed and check-forbidden the finding has another one
  Severity severity;
  std::string_view text;  // what is wrong, without the subject
  std::string_view cause;
  // In Markdown. The words NAMESPACE, DEPLOYMENT, KIND, NAME and OBJECT (its namespace and name) stand for those of the
  // finding.
  std::string_view remedy;
};
[[nodiscard]] std::span<const FindingKind> finding_kinds();
// Null for an unknown id.
[[nodiscard]] const FindingKind* find_kind(std::string_view id);

// A cause of a finding that has several, with its own remedy. An error text that contains `sign` has this cause.
struct FindingCause {
  std::string_view id;  // of the finding
  std::string_view sign;
  std::string_view cause;
  std::string_view remedy;  // as that of a FindingKind
};
// Of all findings with several causes. Of two signs that a text contains, the first one counts.
[[nodiscard]] std::span<const FindingCause> finding_causes();

struct Finding {
  const FindingKind* kind = nullptr;
  Area area = Area::kApiServer;
  std::string subject;  // "customresourcedefinitions/memcacheds.memcached.cache.example.com"; may be empty
  std::string detail;   // the values that the check read; may be empty
  // Findings of one id and group are one finding. Its `detail` is that of the first one.
  std::string group = {};
  std::size_t count = 1;
  std::vector<std::string> others = {};   // a few subjects of the counted ones, without the first
  const FindingCause* special = nullptr;  // null: the cause and the remedy of `kind`

  [[nodiscard]] std::string_view cause() const { return special == nullptr ? kind->cause : special->cause; }
  [[nodiscard]] std::string_view remedy() const { return special == nullptr ? kind->remedy : special->remedy; }
};

// What the checks have found. Equal findings are stored once. A finding beyond the tenth of its id in an area is
// counted and not stored.
class Findings {
 public:
  // `id` must be in the table (asserted). Findings with the same `group`, unless it is empty, are counted as one: a
  // hundred objects with one problem are one problem.
  void add(std::string_view id, std::string subject = "", std::string detail = "", std::string group = "");
  // For a request that failed: check-forbidden, check-failed, or api-server-unreachable, which is added once. All
  // missing permissions are one finding, which names them. The area counts as not examined.
  void add_unreadable(Area area, const Error& error);
  // For a read of an object that failed: adds `missing` if the object does not exist, or nothing if that is empty, and
  // otherwise what add_unreadable() adds.
  void add_unread(Area area, const Error& error, std::string_view missing = "", std::string subject = "",
                  std::string detail = "");
  // A sentence about an area for the report: what was examined.
  void summarize(Area area, std::string summary);
  // Why an area, or a part of it, was not examined. Its result is kUnknown then, or worse.
  void skip(Area area, std::string summary);
  // Whether it was not examined, or only in part, so that it may have more findings.
  [[nodiscard]] bool is_skipped(Area area) const { return skipped_.at(static_cast<std::size_t>(area)); }

  [[nodiscard]] const std::vector<Finding>& all() const { return all_; }
  [[nodiscard]] const std::string& summary(Area area) const { return summaries_[static_cast<std::size_t>(area)]; }
  // The number of findings of this id that are not stored.
  [[nodiscard]] std::size_t omitted(std::string_view id) const;
  [[nodiscard]] bool has(std::string_view id) const;
  // The worst severity in an area, or of all findings.
  [[nodiscard]] Severity worst(Area area) const;
  [[nodiscard]] Severity worst() const;

 private:
  void add_in(Area area, const FindingKind& kind, Finding finding);
  void add_permission(Area area, std::string permission);
  [[nodiscard]] Finding* known(Area area, const FindingKind& kind, const Finding& finding);

  std::vector<Finding> all_;
  std::map<std::pair<const FindingKind*, Area>, std::size_t> counts_;
  std::vector<std::string> summaries_ = std::vector<std::string>(kAreas);
  std::array<bool, kAreas> skipped_{};
};

}  // namespace keelson::doctor
