#include "keelson/detail/install/install.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/kube/pager.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "keelson/json/value.hpp"
#include "src/install/crd_policy.hpp"
#include "src/install/dry_run.hpp"

namespace keelson::install {

namespace {

using boost::asio::awaitable;

// CRDs in a page of a list: a CRD may have megabytes, and a reply at most limits::kListReplyBytes.
constexpr std::int64_t kCrdPage = 10;

constexpr auto kPollPeriod = std::chrono::milliseconds(200);
// After an apply the condition NamesAccepted describes the former names until the API server's controller has updated
// it.
constexpr auto kConflictPeriod = std::chrono::seconds(2);

// A CRD of the program, and what the cluster has.
struct Crd {
  std::string name;
  std::string desired;                    // JSON
  std::optional<kube::Object> live = {};  // as read before the first write
  std::vector<std::string> former_managers = {};
  std::optional<FieldTakeover> takeover = {};
};

json::Document parsed(std::string_view text) {
  auto document = json::Document::parse(text);
  KEELSON_ASSERT(document.has_value());
  return std::move(*document);
}

std::vector<Crd> desired_crds(const std::vector<kube::Kind>& kinds) {
  std::vector<Crd> crds;
  for (const auto& kind : kinds) {
    crds.push_back({kind.resource.qualified_plural(), kube::custom_resource_definition(kind)});
  }
  std::ranges::sort(crds, [](const Crd& left, const Crd& right) { return left.name < right.name; });
  return crds;
}

// Reads all live CRDs before the first write, so that an update that must not happen leaves the cluster as it was.
Task<void> check_all(kube::Client& client, std::vector<Crd>& crds, PrintLine print) {
  std::vector<std::string> refusals;
  std::vector<std::string> notes;
  for (auto& crd : crds) {
    auto live = co_await kube::get(client, kube::custom_resource_definitions(), {"", crd.name});
    if (!live && kube::is_not_found(live.error())) continue;
    if (!live) co_return std::move(live).error();
    KEELSON_CO_LET(const auto document, json::Document::parse(live->json()));
    const auto desired = parsed(crd.desired);
    auto update = check_update(document.root(), desired.root(), client.operator_name().text());
    refusals.insert(refusals.end(), update.refusals.begin(), update.refusals.end());
    notes.insert(notes.end(), update.notes.begin(), update.notes.end());
    crd.former_managers = std::move(update.former_managers);
    crd.takeover = std::move(update.takeover);
    crd.live = std::move(*live);
  }
  if (!refusals.empty()) {
    co_return invalid_error("nothing was changed, because these CRDs cannot be updated:\n" +
                            base::join(refusals, "\n"));
  }
  for (const auto& note : notes) print("note: " + note);
  co_return Result<void>();
}

// The reply of a dry run has the resourceVersion of the stored object, so the contents are compared.
bool is_same(const kube::Object& before, const kube::Object& after, bool is_dry_run) {
  if (!is_dry_run) return before.resource_version() == after.resource_version();
  return json::equal(parsed(before.json()).root(), parsed(after.json()).root());
}

std::string outcome_of(const Crd& crd, const kube::Applied& applied, bool is_dry_run) {
  std::string verb = "updated";
  if (applied.created) verb = "created";
  const bool is_unchanged =
      crd.live && !applied.created && !crd.takeover && is_same(*crd.live, applied.object, is_dry_run);
  if (is_unchanged) return crd.name + " unchanged";
  auto line = crd.name + (is_dry_run ? " would be " : " ") + verb;
  if (!crd.former_managers.empty()) line += " (taken over from " + base::join(crd.former_managers, ", ") + ")";
  return line;
}

// The CRD that has a name which `crd` cannot get, for the error; empty if the list cannot be read or shows none.
awaitable<std::string> find_other_crd(kube::Client& client, const Crd& crd) {
  const auto own = parsed(crd.desired);
  kube::Pager pages(client, kube::custom_resource_definitions(), {.limit = kCrdPage});
  for (;;) {
    const auto page = co_await pages.next();
    if (!page || page->items.empty()) co_return "";
    for (const auto& object : page->items) {
      const auto other = json::Document::parse(object.json());
      if (other && !taken_name(own.root(), other->root()).empty()) co_return std::string(object.name());
    }
  }
}

Task<void> wait_until_served(kube::Client& client, async::Clock& clock, const Crd& crd, async::TimePoint deadline) {
  std::optional<async::TimePoint> conflict_since;
  for (;;) {
    KEELSON_CO_LET(const auto live, co_await kube::get(client, kube::custom_resource_definitions(), {"", crd.name}));
    KEELSON_CO_LET(const auto document, json::Document::parse(live.json()));
    const auto progress = progress_of(document.root());
    if (progress.is_served) co_return Result<void>();
    const auto now = clock.now();
    if (!progress.conflict) {
      conflict_since.reset();
    } else if (!conflict_since) {
      conflict_since = now;
    }
    if (conflict_since && (now - *conflict_since >= kConflictPeriod || now >= deadline)) {
      const auto other = co_await find_other_crd(client, crd);
      co_return invalid_error(crd.name + ": its names are not accepted: " + *progress.conflict +
                              (other.empty() ? "" : " by the CRD " + other) +
                              ". The API server does not serve the kind under them until you delete the other CRD");
    }
    if (now >= deadline) {
      co_return timeout_error(crd.name + " is not established in time: " + progress.state +
                              ". It was applied; to wait longer, set --wait");
    }
    co_await async::sleep_for(clock, kPollPeriod);
  }
}

Task<void> own_fields(kube::Client& client, const Crd& crd) {
  auto patched = co_await kube::patch(client, kube::custom_resource_definitions(), {"", crd.name},
                                      kube::PatchType::kJson, crd.takeover->patch);
  if (patched) co_return Result<void>();
  co_return std::move(patched).error().with_context("take over the fields of " + crd.name + " from " +
                                                    base::join(crd.takeover->managers, ", "));
}

Task<void> apply_all(kube::Client& client, const std::vector<Crd>& crds, bool is_dry_run, const PrintLine& print) {
  for (const auto& crd : crds) {
    // A dry run of the patch would not be stored, so the apply shows the result without the removed fields.
    if (crd.takeover && !is_dry_run) {
      KEELSON_CO_TRY(co_await own_fields(client, crd));
    }
    auto applied = co_await kube::apply(client, kube::custom_resource_definitions(), {"", crd.name},
                                        kube::ApplyForm::kForce, crd.desired);
    if (!applied) co_return std::move(applied).error();
    print(outcome_of(crd, *applied, is_dry_run));
  }
  co_return Result<void>();
}

}  // namespace

Task<void> install(kube::Client& client, async::Clock& clock, InstallOptions options, PrintLine print) {
  auto crds = desired_crds(options.kinds);
  KEELSON_CO_TRY(co_await check_all(client, crds, print));
  if (options.is_dry_run) {
    DryClient dry(client);
    co_return co_await apply_all(dry, crds, true, print);
  }
  KEELSON_CO_TRY(co_await apply_all(client, crds, false, print));
  const auto deadline = clock.now() + options.wait;
  for (const auto& crd : crds) KEELSON_CO_TRY(co_await wait_until_served(client, clock, crd, deadline));
  co_return Result<void>();
}

}  // namespace keelson::install
