#include "keelson/detail/controller/basic_pass.hpp"

#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/rejection.hpp"
#include "keelson/detail/cache/content_digest.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "src/controller/child.hpp"
#include "src/controller/conflict_policy.hpp"
#include "src/controller/consistent_read.hpp"
#include "src/controller/failure_policy.hpp"
#include "src/controller/field_conflict.hpp"
#include "src/controller/pass_work.hpp"
#include "src/controller/reconcile_observer.hpp"
#include "src/controller/write_metrics.hpp"

namespace keelson::controller {

namespace {

constexpr const char* kReconcileFailed = "ReconcileFailed";

// A reason of the condition Stalled for an error of a write, or of a function.
bool is_failure(std::string_view reason) {
  return reason == "CreateFailed" || reason == "UpdateFailed" || reason == "DeleteFailed" || reason == kReconcileFailed;
}

// The stored status reports one.
bool reports_failure(const kube::Object& object) {
  const auto fields = kube::Fields::of(object);
  if (!fields) return false;
  for (const json::View condition : fields->root().at({"status", "conditions"}).items()) {
    if (condition.find("type").string() != "Stalled" || condition.find("status").string() != "True") continue;
    if (is_failure(condition.find("reason").string().value_or(""))) return true;
  }
  return false;
}

bool selects_by_fields(const Definition* definition, const kube::Resource& children) {
  return definition != nullptr && std::ranges::any_of(definition->parts().sources, [&](const Source& source) {
           return source.resource == children && !source.options.fields.empty();
         });
}

}  // namespace

BasicPass::BasicPass(PassState& state, kube::Object object, Attempt& attempt)
    : log(attempt.log),
      clock(state.context.clock),
      client(attempt.client),
      work_(std::make_unique<Work>(Work{*this, state, std::move(object), attempt.observer})) {}

BasicPass::~BasicPass() = default;

const Context& BasicPass::context() const { return work_->state.context; }
const kube::Object& BasicPass::object() const { return work_->object; }
const std::optional<ChildProblem>& BasicPass::problem() const { return work_->first_problem; }
void BasicPass::report_immediately() { work_->is_urgent = true; }
bool BasicPass::has_readiness() const { return work_->has_readiness; }
void BasicPass::note_readiness() { work_->has_readiness = true; }
bool BasicPass::is_urgent() const { return work_->is_urgent; }

cache::Informer& BasicPass::reading(const kube::Resource& resource) const {
  if (work_->observer != nullptr) work_->observer->note_read(resource, ReconcileObserver::Read::kCached);
  return work_->state.context.informer(resource);
}

Task<void> BasicPass::consistent_read_of(kube::Resource children) {
  KEELSON_CO_TRY(work_->check_not_superseded());
  if (selects_by_fields(work_->state.context.definition, children)) {
    co_return invalid_error("consistent read of " + children.qualified_plural() +
                            ": the controller selects them by fields; watch them without a field selector");
  }
  KEELSON_CO_LET(const bool was_read,
                 co_await work_->state.consistent_read().refresh(work_->state.resource, object(), children));
  if (was_read && work_->observer != nullptr) {
    work_->observer->note_read(children, ReconcileObserver::Read::kConsistent);
  }
  const auto now = work_->state.informer.get(object().key());
  // The status may be newer too, and the function may decide by it.
  if (now && now->resource_version() != object().resource_version()) co_return superseded();
  co_return work_->check_not_superseded();
}

Task<std::optional<kube::Object>> BasicPass::live(kube::Resource resource, kube::Key key) const {
  return read_live(client, std::move(resource), std::move(key));
}

void BasicPass::retain_conflict(const std::vector<kube::Condition>& stored) {
  const auto* reported = own_conflict(stored);
  if (work_->conflict && (reported == nullptr || work_->has_conflict_ended)) {
    set_condition(kConflictCondition, true, std::string(kFieldConflict), *work_->conflict);
    report_immediately();
    return;
  }
  if (reported == nullptr) return;
  // Its message is retained: replicas that report each other would write it in turns.
  kube::remove_condition(*conditions_, kConflictCondition);
  conditions_->push_back(*reported);
}

void BasicPass::finish_conflict(const std::vector<kube::Condition>& stored) {
  retain_conflict(stored);
  const auto* reported = own_conflict(stored);
  if (work_->conflict || reported == nullptr || is_dry_run()) return;
  // A conflict that this process has not seen was reported by another one, or before a restart.
  const auto age = clock.wall_now() - reported->last_transition_time;
  const auto rest = std::chrono::duration_cast<async::Duration>(2 * kContestedInterval - age);
  if (!work_->has_conflict_ended && rest > async::Duration::zero()) {
    work_->conflict_retry = std::min(work_->conflict_retry.value_or(rest), rest);
    return;
  }
  kube::remove_condition(*conditions_, kConflictCondition);
  report_immediately();
}

Result<Outcome> BasicPass::with_conflict_retry(Result<Outcome> outcome) const {
  if (!outcome || !work_->conflict_retry) return outcome;
  const auto after = outcome->after();
  return Outcome::requeue_after(after ? std::min(*after, *work_->conflict_retry) : *work_->conflict_retry);
}

Result<void> BasicPass::Work::check_not_superseded() const {
  const auto now = state.informer.get(object.key());
  if (now && now->uid() == object.uid() && now->generation() == object.generation() &&
      now->deleting() == object.deleting() && !state.pause_of(*now)) {
    return {};
  }
  return pass.superseded();
}

Error BasicPass::superseded() const {
  work_->was_superseded = true;
  if (work_->observer != nullptr) work_->observer->note_result(ReconcileResult::kSuperseded);
  return {Error::Kind::kSuperseded,
          "a newer " + work_->state.resource.kind + " " + object().key().text() + " supersedes this pass"};
}

bool BasicPass::is_stale(const kube::Resource& children) const {
  return work_->state.consistent_read().may_be_stale(work_->state.resource, children);
}

bool BasicPass::was_applied_untyped(const Untyped& child) const {
  const auto desired = work_->desired_of(child);
  if (!desired) return false;
  const auto found = cached_child(child.identity.resource(), kube::Key(child.ns, child.name));
  return found && controller::was_applied(*found, *desired, client.operator_name());
}

Result<std::optional<std::string>> BasicPass::digest_in_cache(const kube::Resource& resource,
                                                              std::string_view name) const {
  const auto ns = resource.namespaced ? object().ns() : std::string_view();
  // refers_to() declares it without selectors.
  const auto informer = work_->state.context.cache.find(resource, cache::Selection());
  if (!informer) {
    return invalid_error("digest of " + resource.kind + " " + std::string(name) + ": add .refers_to<" + resource.kind +
                         ">(…) to the definition");
  }
  const auto found = (*informer)->get(kube::Key(ns, name));
  if (!found) return std::optional<std::string>();
  KEELSON_LET(auto digest, cache::digest_of(*found));
  return std::optional(std::move(digest));
}

std::optional<kube::Object> BasicPass::cached_child(const kube::Resource& resource, kube::Key key) const {
  if (!resource.namespaced) key.ns.clear();
  auto found = reading(resource).get(key);
  if (!found || !is_controlled_by(*found, object())) return std::nullopt;
  return found;
}

// Compares kind and name too: any user can write any uid into their own objects.
std::vector<kube::Object> BasicPass::Work::controlled_by(const kube::Resource& resource, std::string_view owner_kind,
                                                         const kube::Object& owner) const {
  auto owned = pass.reading(resource).owned_by(owner);
  std::erase_if(owned, [&](const kube::Object& child) {
    const auto controller = child.controller_owner();
    return !is_controlled_by(child, owner) || controller->kind != owner_kind || controller->name != owner.name();
  });
  return owned;
}

std::vector<kube::Object> BasicPass::controlled(const kube::Resource& resource) const {
  return work_->controlled_by(resource, work_->state.resource.kind, object());
}

std::vector<kube::Object> BasicPass::controlled_by(const kube::Resource& owners, const kube::Key& owner,
                                                   std::string_view owner_uid, const kube::Resource& resource) const {
  const auto cached = reading(owners).get(owner);
  if (!cached || cached->uid() != owner_uid) return {};
  return work_->controlled_by(resource, owners.kind, *cached);
}

std::vector<kube::Object> BasicPass::listed(const kube::Resource& resource, std::string_view ns,
                                            const kube::Selector& selector) const {
  auto objects = reading(resource).list(ns);
  if (!selector.empty()) {
    std::erase_if(objects, [&selector](const kube::Object& object) { return !selector.matches(object); });
  }
  std::ranges::sort(objects, {}, [](const kube::Object& object) { return std::pair(object.ns(), object.name()); });
  return objects;
}

namespace {

void record(PassState& state, const kube::Object& object, EventRecorder::Type type, std::string reason,
            std::string note, EventDetails details) {
  auto& events = state.context.events;
  if (details.related) {
    events.record_related(state.resource, object, *details.related, type, std::move(reason), std::move(details.action),
                          std::move(note));
  } else {
    events.record(state.resource, object, type, std::move(reason), std::move(details.action), std::move(note));
  }
}

}  // namespace

void BasicPass::event(std::string reason, std::string note, EventDetails details) {
  record(work_->state, object(), EventRecorder::Type::kNormal, std::move(reason), std::move(note), std::move(details));
}

void BasicPass::warning(std::string reason, std::string note, EventDetails details) {
  record(work_->state, object(), EventRecorder::Type::kWarning, std::move(reason), std::move(note), std::move(details));
}

std::string BasicPass::environment(const char* name, std::string otherwise) const {
  const auto* value = work_->state.context.environment(name);
  return value == nullptr || *value == '\0' ? otherwise : std::string(value);
}

bool BasicPass::Work::is_persistent() const {
  // An earlier process may have reported it: a restart is no reason to withdraw it.
  return state.failures().is_persistent(object.key(), pass.clock.now()) || reports_failure(object);
}

bool BasicPass::must_report(const Error& error) const {
  return is_rejection(error) || (is_reportable(error) && work_->is_persistent());
}

void BasicPass::report_error(const Result<Outcome>& outcome) {
  const bool is_reported = work_->first_problem && work_->first_problem->readiness == kube::Readiness::kStalled;
  if (outcome || is_reported || !is_reportable(outcome.error())) return;
  // A terminal error is not retried, so it would never count as persistent.
  if (outcome.error().kind != Error::Kind::kTerminal && !work_->is_persistent()) return;
  const auto* ready = conditions_ == nullptr ? nullptr : kube::find_condition(*conditions_, "Ready");
  if (work_->has_readiness && ready != nullptr && ready->status != "True") return;
  auto message = outcome.error().message();
  warning(kReconcileFailed, message);
  work_->report_problem({kube::Readiness::kStalled, kReconcileFailed, std::move(message)}, work_->next_place++);
}

Task<std::optional<Outcome>> BasicPass::store_status(std::string status, bool is_immediate) {
  auto written = co_await work_->state.write_status(client, object(), std::move(status), is_immediate);
  if (written) co_return written;
  const auto& error = written.error();
  work_->has_failed_write = work_->has_failed_write || is_reportable(error);
  // No status can report it.
  if (must_report(error)) warning("StatusUpdateFailed", error.message());
  co_return written;
}

void BasicPass::note_unchanged_status() {
  work_->state.forget_status(object().key());
  work_->state.count_unchanged_status();
}

void BasicPass::note_result(const Result<Outcome>& ended) {
  auto& failures = work_->state.failures();
  if (work_->has_failed_write || (!ended && is_reportable(ended.error()))) {
    failures.failed(object().key(), clock.now());
  } else if (ended) {
    failures.succeeded(object().key());
  }
}

void BasicPass::clear_problem() {
  const auto* stalled = kube::find_condition(*conditions_, "Stalled");
  const auto* reconciling = kube::find_condition(*conditions_, "Reconciling");
  const auto is_ours = [](const kube::Condition* condition) {
    if (condition == nullptr) return false;
    const auto& reason = condition->reason;
    return is_failure(reason) || reason == kNotOwned || reason == kChildDeleting;
  };
  if (!is_ours(stalled) && !is_ours(reconciling)) return;
  for (const auto* type : {"Ready", "Reconciling", "Stalled"}) kube::remove_condition(*conditions_, type);
}

void BasicPass::set_readiness(kube::Readiness readiness, std::string reason, std::string message) {
  note_readiness();
  kube::set_readiness(*conditions_, readiness, std::move(reason), std::move(message), object().generation(),
                      clock.wall_now());
}

void BasicPass::set_condition(std::string_view type, bool holds, std::string reason, std::string message) {
  kube::set_condition(*conditions_, type, {holds, std::move(reason), std::move(message)}, object().generation(),
                      clock.wall_now());
}

}  // namespace keelson::controller
