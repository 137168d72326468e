#include "keelson/detail/doctor/findings.hpp"

#include <algorithm>
#include <array>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::doctor {

namespace {

// Subjects of a finding about many objects that are named next to the first one: a reader needs examples.
constexpr std::size_t kNamedSubjects = 2;

// Bytes of the list of missing permissions: a reader needs examples.
constexpr std::size_t kPermissionsText = 2000;

constexpr std::array<std::string_view, kAreas> kAreaNames = {
    "api-server", "deployment", "manager", "kinds",   "permissions", "lease",
    "webhooks",   "metrics",    "watches", "writers", "objects",
};
constexpr std::array<std::string_view, 5> kSeverityNames = {"ok", "note", "unknown", "warning", "error"};

// The word after `mark`, without quotes; empty if the text lacks the mark.
std::string word_after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at + mark.size());
  if (text.starts_with('"')) text.remove_prefix(1);
  return std::string(text.substr(0, text.find_first_of("\" ")));
}

// "get pods in a" of `User "u" cannot get resource "pods" in API group "" in the namespace "a"`.
std::string missing_permission(const Error& error) {
  const auto& text = error.server_text;
  const auto verb = word_after(text, "cannot ");
  const auto resource = word_after(text, " resource ");
  if (verb.empty() || resource.empty()) {
    const auto path = word_after(text, " path ");
    return verb.empty() || path.empty() ? error.message() : verb + " " + path;
  }
  const auto slash = std::min(resource.find('/'), resource.size());
  const auto group = word_after(text, " in API group ");
  const auto ns = word_after(text, " in the namespace ");
  return verb + " " + resource.substr(0, slash) + (group.empty() ? "" : "." + group) + resource.substr(slash) +
         (ns.empty() ? "" : " in " + ns);
}

const FindingCause* special_cause(const FindingKind& kind, std::string_view detail) {
  const auto causes = finding_causes();
  const auto found = std::ranges::find_if(causes, [&](const FindingCause& cause) {
    return cause.id == kind.id && detail.find(cause.sign) != std::string_view::npos;
  });
  return found == causes.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name_of(Severity severity) { return kSeverityNames.at(static_cast<std::size_t>(severity)); }
std::string_view name_of(Area area) { return kAreaNames.at(static_cast<std::size_t>(area)); }

void Findings::add(std::string_view id, std::string subject, std::string detail, std::string group) {
  const auto* kind = find_kind(id);
  KEELSON_ASSERT(kind != nullptr);
  Finding finding;
  finding.subject = std::move(subject);
  finding.detail = std::move(detail);
  finding.group = std::move(group);
  add_in(kind->area, *kind, std::move(finding));
}

void Findings::add_unreadable(Area area, const Error& error) {
  skipped_.at(static_cast<std::size_t>(area)) = true;
  if (kube::is_forbidden(error)) {
    add_permission(area, missing_permission(error));
    return;
  }
  const bool is_lost = error.kind == Error::Kind::kTransport;
  if (is_lost && has("api-server-unreachable")) return;
  Finding finding;
  finding.detail = error.message();
  add_in(is_lost ? Area::kApiServer : area, *find_kind(is_lost ? "api-server-unreachable" : "check-failed"),
         std::move(finding));
}

void Findings::add_unread(Area area, const Error& error, std::string_view missing, std::string subject,
                          std::string detail) {
  if (!kube::is_not_found(error)) return add_unreadable(area, error);
  if (!missing.empty()) add(missing, std::move(subject), std::move(detail));
}

void Findings::add_permission(Area area, std::string permission) {
  const auto* kind = find_kind("check-forbidden");
  const auto found = std::ranges::find_if(all_, [kind](const Finding& finding) { return finding.kind == kind; });
  if (found == all_.end()) {
    Finding finding;
    finding.detail = std::move(permission);
    add_in(area, *kind, std::move(finding));
    return;
  }
  permission = base::on_one_line(std::move(permission));
  const auto listed = ", " + found->detail + ", ";
  if (listed.find(", " + permission + ", ") != std::string::npos) return;
  if (found->detail.size() < kPermissionsText) found->detail += ", " + permission;
}

void Findings::summarize(Area area, std::string summary) {
  summaries_[static_cast<std::size_t>(area)] = base::on_one_line(std::move(summary));
}

void Findings::skip(Area area, std::string summary) {
  skipped_.at(static_cast<std::size_t>(area)) = true;
  summarize(area, std::move(summary));
}

Finding* Findings::known(Area area, const FindingKind& kind, const Finding& finding) {
  const auto found = std::ranges::find_if(all_, [&](const Finding& other) {
    if (other.kind != &kind || other.area != area || other.group != finding.group) return false;
    return !finding.group.empty() || (other.subject == finding.subject && other.detail == finding.detail);
  });
  return found == all_.end() ? nullptr : &*found;
}

void Findings::add_in(Area area, const FindingKind& kind, Finding finding) {
  finding.kind = &kind;
  finding.area = area;
  finding.subject = base::on_one_line(std::move(finding.subject));
  finding.detail = base::on_one_line(std::move(finding.detail));
  finding.special = special_cause(kind, finding.detail);
  if (auto* same = known(area, kind, finding)) {
    if (finding.group.empty() || same->subject == finding.subject) return;
    ++same->count;
    if (same->others.size() < kNamedSubjects) same->others.push_back(std::move(finding.subject));
    return;
  }
  if (++counts_[{&kind, area}] <= limits::kFindingsOfAKind) all_.push_back(std::move(finding));
}

std::size_t Findings::omitted(std::string_view id) const {
  std::size_t omitted = 0;
  for (const auto& [key, count] : counts_) {
    if (key.first->id == id) omitted += count - std::min(count, limits::kFindingsOfAKind);
  }
  return omitted;
}

bool Findings::has(std::string_view id) const {
  return std::ranges::any_of(all_, [id](const Finding& finding) { return finding.kind->id == id; });
}

Severity Findings::worst(Area area) const {
  auto worst = is_skipped(area) ? Severity::kUnknown : Severity::kOk;
  for (const auto& finding : all_) {
    if (finding.area == area) worst = std::max(worst, finding.kind->severity);
  }
  return worst;
}

Severity Findings::worst() const {
  const bool is_complete = std::ranges::find(skipped_, true) == skipped_.end();
  auto worst = is_complete ? Severity::kOk : Severity::kUnknown;
  for (const auto& finding : all_) worst = std::max(worst, finding.kind->severity);
  return worst;
}

}  // namespace keelson::doctor
