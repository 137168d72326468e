#include "keelson/detail/doctor/finding_tracker.hpp"

#include <chrono>
#include <utility>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/time.hpp"
#include "src/doctor/report_texts.hpp"

namespace keelson::doctor {

namespace {

std::string key_of(const Finding& finding) {
  return std::string(finding.kind->id) + "|" + std::string(name_of(finding.area)) + "|" +
         (finding.group.empty() ? finding.subject : finding.group);
}

// A check that could not be made is a finding about the report itself.
bool may_have_cleared(const Finding& finding, const Findings& findings) {
  return finding.kind->severity == Severity::kUnknown || finding.kind->area == Area::kApiServer ||
         !findings.is_skipped(finding.area);
}

std::string time_of(async::WallTime time) { return kube::format_time(std::chrono::floor<std::chrono::seconds>(time)); }

std::chrono::seconds lasted(const FindingChange& change, async::WallTime now) {
  return std::chrono::floor<std::chrono::seconds>(now - change.since);
}

}  // namespace

std::vector<FindingChange> FindingTracker::update(const Report& report, async::WallTime now) {
  std::vector<FindingChange> changes;
  std::map<std::string, FindingChange> present;
  for (const auto& finding : report.findings.all()) {
    const auto key = key_of(finding);
    const auto before = present_.find(key);
    if (before != present_.end()) {
      present.insert(*before);
    } else if (!present.contains(key)) {
      FindingChange change{true, finding, remedy_of(report, finding), now};
      present.emplace(key, change);
      changes.push_back(std::move(change));
    }
  }
  for (auto& [key, change] : present_) {
    if (present.contains(key)) continue;
    if (!may_have_cleared(change.finding, report.findings)) {
      present.emplace(key, change);
      continue;
    }
    changes.push_back(change);
    changes.back().is_found = false;
  }
  present_ = std::move(present);
  return changes;
}

std::string change_text(const FindingChange& change, async::WallTime now) {
  const auto& finding = change.finding;
  auto line = time_of(now) + (change.is_found ? "  found    " : "  cleared  ");
  line.append(name_of(finding.kind->severity)).append("  ").append(finding.kind->id).append("  ");
  const auto subject = subject_of(finding);
  line.append(subject).append(subject.empty() ? "" : ": ").append(finding_text(finding));
  if (!change.is_found) return line + ", after " + base::format_go_duration(lasted(change, now)) + "\n";
  return line + "; remedy: " + change.remedy + "\n";
}

std::string change_json(const FindingChange& change, async::WallTime now) {
  const auto& finding = change.finding;
  json::Writer writer;
  writer.begin_object().field("time", time_of(now)).field("change", change.is_found ? "found" : "cleared");
  writer.field("id", finding.kind->id).field("severity", name_of(finding.kind->severity));
  writer.field("area", name_of(finding.area)).field("subject", finding.subject);
  writer.field("count", static_cast<std::int64_t>(finding.count)).field("text", finding_text(finding));
  writer.field("cause", finding.cause()).field("remedy", change.remedy).field("since", time_of(change.since));
  if (!change.is_found) writer.field("seconds", static_cast<std::int64_t>(lasted(change, now).count()));
  writer.end_object();
  return std::move(writer).take() + "\n";
}

}  // namespace keelson::doctor
