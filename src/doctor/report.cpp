#include <algorithm>
#include <array>
#include <tuple>

#include "keelson/detail/doctor/doctor.hpp"
#include "keelson/json/writer.hpp"
#include "src/doctor/report_texts.hpp"

namespace keelson::doctor {

namespace {

void replace_word(std::string& text, std::string_view word, std::string_view value) {
  if (value.empty()) return;
  for (auto place = text.find(word); place != std::string::npos; place = text.find(word, place + value.size())) {
    text.replace(place, word.size(), value);
  }
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  if (out.size() < width) out.resize(width, ' ');
  return out;
}

// The findings of one id and cause together: what differs in lines of its own, cause and remedy once.
void append_findings(const Report& report, std::span<const Finding> findings, std::string& out) {
  const auto& kind = *findings.front().kind;
  out.append("\n").append(padded(name_of(kind.severity), 9)).append(kind.id).append("\n");
  for (const auto& finding : findings) {
    const auto subject = subject_of(finding);
    out.append("  what     ").append(subject).append(subject.empty() ? "" : ": ");
    out.append(finding_text(finding)).append("\n");
  }
  out.append("  cause    ").append(findings.front().cause());
  out.append("\n  remedy   ").append(remedy_of(report, findings.front())).append("\n");
}

void append_all(const Report& report, std::string& out) {
  auto sorted = report.findings.all();
  std::ranges::stable_sort(sorted, [](const Finding& left, const Finding& right) {
    if (left.kind->severity != right.kind->severity) return left.kind->severity > right.kind->severity;
    return std::tie(left.kind, left.special) < std::tie(right.kind, right.special);
  });
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::find_if(begin, sorted.end(), [&begin](const Finding& finding) {
      return finding.kind != begin->kind || finding.special != begin->special;
    });
    append_findings(report, {begin, end}, out);
    begin = end;
  }
}

// The summary of an area; without one the worst of its findings.
std::string summary_of(const Findings& findings, Area area) {
  const auto& summary = findings.summary(area);
  if (!summary.empty()) return summary;
  const auto worst = findings.worst(area);
  for (const auto& finding : findings.all()) {
    if (finding.area == area && finding.kind->severity == worst) return std::string(finding.kind->text);
  }
  return "";
}

std::string counts_of(const Findings& findings) {
  std::array<std::size_t, 5> counts{};
  for (const auto& finding : findings.all()) ++counts.at(static_cast<std::size_t>(finding.kind->severity));
  std::string out;
  for (const auto severity : {Severity::kError, Severity::kWarning, Severity::kUnknown, Severity::kNote}) {
    const auto count = counts.at(static_cast<std::size_t>(severity));
    if (count == 0) continue;
    out.append(out.empty() ? "" : ", ").append(std::to_string(count)).append(" ").append(name_of(severity));
    if (count > 1 && severity != Severity::kUnknown) out.append("s");
  }
  if (!out.empty()) return out;
  return findings.worst() == Severity::kOk ? "no problem was found" : "some checks were not made";
}

}  // namespace

std::string remedy_of(const Report& report, const Finding& finding) {
  std::string text(finding.remedy());
  replace_word(text, "NAMESPACE", report.ns);
  replace_word(text, "DEPLOYMENT", report.deployment);
  // "deployments/NAME", or "memcacheds.cache.example.com/NAMESPACE/NAME" of an object in another namespace.
  const std::string_view subject = finding.subject;
  const auto first = subject.find('/');
  const auto last = subject.rfind('/');
  if (first == std::string_view::npos) return text;
  replace_word(text, "KIND", subject.substr(0, first));
  std::string name(subject.substr(last + 1));
  // As `manager explain` takes it.
  replace_word(text, "OBJECT", first == last ? name : std::string(subject.substr(first + 1)));
  if (first != last) name += " -n " + std::string(subject.substr(first + 1, last - first - 1));
  replace_word(text, "NAME", name);
  return text;
}

std::string subject_of(const Finding& finding) {
  if (finding.count == 1) return finding.subject;
  auto text = finding.subject;
  for (const auto& other : finding.others) text += ", " + other;
  const bool has_more = finding.count > finding.others.size() + 1;
  return has_more ? std::to_string(finding.count) + ", for example " + text : text;
}

std::string finding_text(const Finding& finding) {
  std::string text(finding.kind->text);
  if (!finding.detail.empty()) text.append(": ").append(finding.detail);
  return text;
}

std::string report_text(const Report& report) {
  std::string out =
      report.program + " doctor" + (report.version.empty() ? "" : " " + report.version) + ", " + report.server;
  if (!report.deployment.empty()) out += ", deployment " + report.ns + "/" + report.deployment;
  out += "\n\n";
  for (std::size_t i = 0; i < kAreas; ++i) {
    const auto area = static_cast<Area>(i);
    const auto summary = summary_of(report.findings, area);
    if (summary.empty()) continue;
    out += padded(name_of(report.findings.worst(area)), 9) + padded(name_of(area), 13) + summary + "\n";
  }
  append_all(report, out);
  for (const auto& kind : finding_kinds()) {
    const auto omitted = report.findings.omitted(kind.id);
    if (omitted > 0) out.append("\n").append(std::to_string(omitted)).append(" more of ").append(kind.id).append("\n");
  }
  return out + "\n" + counts_of(report.findings) + "\n";
}

std::string report_json(const Report& report) {
  json::Writer writer;
  writer.begin_object().field("program", report.program).field("version", report.version);
  writer.field("server", report.server).field("namespace", report.ns).field("deployment", report.deployment);
  writer.field("result", name_of(report.findings.worst()));
  writer.key("areas").begin_array();
  for (std::size_t i = 0; i < kAreas; ++i) {
    const auto area = static_cast<Area>(i);
    writer.begin_object().field("area", name_of(area)).field("result", name_of(report.findings.worst(area)));
    writer.field("summary", summary_of(report.findings, area)).end_object();
  }
  writer.end_array().key("findings").begin_array();
  for (const auto& finding : report.findings.all()) {
    writer.begin_object().field("id", finding.kind->id).field("severity", name_of(finding.kind->severity));
    writer.field("area", name_of(finding.area)).field("subject", finding.subject).field("text", finding_text(finding));
    writer.field("count", static_cast<std::int64_t>(finding.count));
    if (!finding.others.empty()) {
      writer.key("others").begin_array();
      for (const auto& other : finding.others) writer.string(other);
      writer.end_array();
    }
    writer.field("cause", finding.cause()).field("remedy", remedy_of(report, finding)).end_object();
  }
  writer.end_array().key("omitted").begin_object();
  for (const auto& kind : finding_kinds()) {
    const auto omitted = static_cast<std::int64_t>(report.findings.omitted(kind.id));
    if (omitted > 0) writer.field(kind.id, omitted);
  }
  writer.end_object().end_object();
  return std::move(writer).take();
}

int exit_code(const Report& report) {
  const auto worst = report.findings.worst();
  if (worst == Severity::kError) return 2;
  return worst == Severity::kWarning || worst == Severity::kUnknown ? 1 : 0;
}

}  // namespace keelson::doctor
