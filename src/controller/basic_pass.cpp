// Decision: docs/decisions/0004-retained-log-lines.md
#include "keelson/controller/basic_pass.hpp"

#include "keelson/cache/content_digest.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/rejection.hpp"
#include "src/controller/child.hpp"
#include "src/controller/child_policy.hpp"
#include "src/controller/conflict_policy.hpp"
#include "src/controller/consistent_read.hpp"
#include "src/controller/field_conflict.hpp"
#include "src/controller/reconcile_trace.hpp"
#include "src/controller/settled_children.hpp"
#include "src/controller/write_metrics.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

constexpr const char* kChildDeleting = "ChildDeleting";
constexpr const char* kSuperseded = "Superseded";

// The Conflict that this framework has set; null if there is none.
const kube::Condition* own_conflict(const std::vector<kube::Condition>& conditions) {
  const auto* condition = kube::find_condition(conditions, kConflictCondition);
  return condition != nullptr && condition->reason == kFieldConflict ? condition : nullptr;
}

// Identifies a child in the ConflictPolicy.
std::string child_id(const kube::Resource& resource, const kube::Key& key) {
  return resource.qualified_plural() + " " + key.text();
}

ReconcileTrace* trace_of(const Context& context, const kube::Object& object) {
  return context.traces == nullptr ? nullptr : context.traces->find(object.key());
}

// Observes the requests of this pass.
kube::Client& client_of(const Context& context, const kube::Object& object) {
  auto* trace = trace_of(context, object);
  return trace == nullptr ? context.client : *trace;
}

bool has_reason(const Error& error, std::string_view reason) {
  return error.kind == Error::Kind::kInvalid && error.reason == reason;
}

}  // namespace

bool is_waiting(const Error& error) { return has_reason(error, kChildDeleting); }
bool is_superseded(const Error& error) { return has_reason(error, kSuperseded); }

BasicPass::BasicPass(PassState& state, kube::Object object, Logger logger)
    : log(std::move(logger)),
      clock(state.context.clock),
      client(client_of(state.context, object)),
      state_(state),
      object_(std::move(object)),
      trace_(trace_of(state.context, object_)) {}

cache::Informer& BasicPass::reading(const kube::Resource& resource) const {
  if (trace_ != nullptr) trace_->note_read(resource, ReconcileTrace::Read::kCached);
  return state_.context.informer(resource);
}

Result<std::string> BasicPass::desired_of(const Untyped& child) const {
  const auto resource = child.identity.resource();
  if (child.was_read) return was_read(resource);
  if (child.annotations != nullptr) drop_requests(*child.annotations);
  if (resource.namespaced && child.ns.empty()) {
    child.ns = object_.ns();
    if (child.ns.empty()) return without_namespace(resource, child.name);
  }
  return kube::detail::object_text(child.identity, child.type, child.value, kube::detail::Parts::kWithoutStatus);
}

asio::awaitable<Result<void>> BasicPass::apply_untyped(Untyped child) {
  KEELSON_CO_LET(auto desired, desired_of(child));
  auto resource = child.identity.resource();
  kube::Key key{child.ns, child.name};
  KEELSON_CO_LET(const auto applied, co_await apply_text(std::move(resource), std::move(key), std::move(desired)));
  child.type.reset(child.value);
  co_return kube::detail::read_object(applied, child.type, child.value);
}

asio::awaitable<Result<void>> BasicPass::create_untyped(Untyped child, bool& is_new) {
  KEELSON_CO_LET(auto desired, desired_of(child));
  auto resource = child.identity.resource();
  kube::Key key{child.ns, child.name};
  KEELSON_CO_LET(const auto created,
                 co_await create_text(std::move(resource), std::move(key), std::move(desired), is_new));
  child.type.reset(child.value);
  co_return kube::detail::read_object(created, child.type, child.value);
}

asio::awaitable<Result<kube::Object>> BasicPass::apply_text(kube::Resource resource, kube::Key key,
                                                            std::string desired) {
  KEELSON_CO_TRY(check_not_superseded());
  desired_.emplace(resource.qualified_plural(), key);
  auto current = reading(resource).get(key);
  const bool creates = !current;
  if (current && is_controlled_by(*current, object_) && !current->deleting() && is_paused_child(resource, *current)) {
    co_return std::move(*current);
  }
  const auto state = current ? SettledChildren::state_of(object_, *current, desired, client.operator_name()) : 0;
  if (current && state_.settled_children().contains(*current, state)) {
    note_unchanged(resource, key);
    co_return std::move(*current);
  }
  BeforeUpdate check = [this, &resource, &key](ChildUpdate update) {
    return may_update(resource, key, std::move(update));
  };
  auto child = co_await apply_child(client, resource, state_.resource, object_, std::move(desired), std::move(current),
                                    std::move(check));
  if (!child) {
    note_problem(resource, key, creates, child.error());
    co_return std::move(child).error();
  }
  if (child->outcome == Child::Outcome::kUnchanged) {
    note_unchanged(resource, key);
    if (!child->object->deleting()) state_.settled_children().add(*child->object, state);
  }
  if (child->outcome == Child::Outcome::kUpdated) state_.conflicts().updated(child_id(resource, key));
  const bool is_leaving = child->object && child->object->deleting();
  if (child->outcome == Child::Outcome::kWaiting || is_leaving) co_return child_is_deleting(resource, key);
  if (child->was_written() && !is_dry_run()) {
    const auto& kind = resource.kind;
    log.info(child->outcome == Child::Outcome::kCreated ? "Creating a new " + kind + "." : "Updating the " + kind + ".",
             {{kind + ".Namespace", key.ns}, {kind + ".Name", key.name}});
  }
  co_return std::move(*child->object);
}

asio::awaitable<Result<kube::Object>> BasicPass::create_text(kube::Resource resource, kube::Key key,
                                                             std::string desired, bool& is_new) {
  KEELSON_CO_TRY(check_not_superseded());
  desired_.emplace(resource.qualified_plural(), key);
  // If the kind is watched, a name that is taken costs no request.
  if (const auto informer = state_.context.cache.find(resource)) {
    const auto current = (*informer)->get(key);
    if (current && is_controlled_by(*current, object_)) co_return *current;
    if (current && is_leaving(state_.resource, object_, *current)) co_return child_is_deleting(resource, key);
    if (current) {
      auto error = not_owned(resource, key, state_.resource);
      note_problem(resource, key, true, error);
      co_return error;
    }
  }
  auto child = co_await create_child(client, resource, state_.resource, object_, std::move(desired));
  if (!child) {
    note_problem(resource, key, true, child.error());
    co_return std::move(child).error();
  }
  if (child->outcome == Child::Outcome::kWaiting) co_return child_is_deleting(resource, key);
  is_new = child->outcome == Child::Outcome::kCreated;
  // The cache may not have a child that was created earlier.
  if (!is_new) state_.context.cache.observe_write(resource, *child->object);
  co_return std::move(*child->object);
}

asio::awaitable<Result<void>> BasicPass::remove_uid(kube::Resource resource, kube::Key key, std::string uid) {
  KEELSON_CO_TRY(check_not_superseded());
  // Without a uid the request would delete any object of that name.
  if (uid.empty())
    co_return invalid_error("remove " + resource.kind + " " + key.text() + ": the object has no uid; read it first");
  if (is_paused_child(resource, key)) co_return Result<void>();
  state_.conflicts().forget(child_id(resource, key));
  kube::DeleteOptions options;
  options.uid = std::move(uid);
  options.propagation = "Background";
  auto removed = co_await kube::remove(client, std::move(resource), std::move(key), std::move(options));
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed).error();
  co_return Result<void>();
}

asio::awaitable<Result<void>> BasicPass::prune_resource(kube::Resource resource) {
  const auto leftovers = [&] {
    auto found = controlled_by(resource, state_.resource.kind, object_);
    std::erase_if(found, [&](const kube::Object& child) {
      return child.deleting() || desired_.contains({resource.qualified_plural(), child.key()}) ||
             is_paused_child(resource, child);
    });
    return found;
  };
  if (leftovers().empty()) co_return Result<void>();
  KEELSON_CO_TRY(co_await consistent_read_of(resource));
  for (const auto& child : leftovers()) {
    KEELSON_CO_TRY(co_await remove_uid(resource, child.key(), std::string(child.uid())));
    if (is_dry_run()) continue;
    log.info("Deleting the " + resource.kind + ".",
             {{resource.kind + ".Namespace", child.key().ns}, {resource.kind + ".Name", child.key().name}});
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> BasicPass::consistent_read_of(kube::Resource children) {
  KEELSON_CO_TRY(check_not_superseded());
  const auto* definition = state_.context.definition;
  for (const auto& source : definition == nullptr ? std::vector<Source>() : definition->sources()) {
    if (source.resource != children || source.options.fields.empty()) continue;
    co_return invalid_error("consistent read of " + children.qualified_plural() +
                            ": the controller selects them by fields; watch them without a field selector");
  }
  KEELSON_CO_LET(const bool was_read, co_await state_.consistent_read().refresh(state_.resource, object_, children));
  if (was_read && trace_ != nullptr) trace_->note_read(children, ReconcileTrace::Read::kConsistent);
  const auto now = state_.informer.get(object_.key());
  // The status may be newer too, and the function may decide by it.
  if (now && now->resource_version() != object_.resource_version()) co_return superseded();
  co_return check_not_superseded();
}

asio::awaitable<Result<std::optional<kube::Object>>> BasicPass::live(kube::Resource resource, kube::Key key) const {
  return read_live(client, std::move(resource), std::move(key));
}

// Called before a child is changed to the desired state: the former leader may have applied a newer spec.
asio::awaitable<Result<void>> BasicPass::check_current() {
  KEELSON_CO_LET(const bool was_read, co_await state_.consistent_read().refresh(state_.resource, object_));
  if (was_read && trace_ != nullptr) trace_->note_read(state_.resource, ReconcileTrace::Read::kConsistent);
  co_return check_not_superseded();
}

asio::awaitable<Result<bool>> BasicPass::may_update(kube::Resource resource, kube::Key key, ChildUpdate update) {
  KEELSON_CO_TRY(co_await check_current());
  // In a dry run the child stays as it is, which would look like another writer.
  if (is_dry_run()) co_return true;
  auto& conflicts = state_.conflicts();
  const auto child = child_id(resource, key);
  const auto decision = conflicts.before_update(child, update.hash, update.field, clock.now());
  has_conflict_ended_ = has_conflict_ended_ || decision.has_ended;
  if (decision.has_ended) state_.write_metrics().conflict_ended();
  if (!decision.wait) co_return true;
  state_.write_metrics().held_back();
  // Without a report: a timeout has canceled the pass that should have created it.
  if (decision.is_new || conflicts.report_of(child).empty()) {
    const bool is_reported = conditions_ != nullptr && own_conflict(*conditions_) != nullptr;
    auto message = co_await conflict_message(client, resource, key, std::move(update.field));
    log.info("Another writer changes a child back, updating it less often",
             {{resource.kind + ".Namespace", key.ns}, {resource.kind + ".Name", key.name}, {"conflict", message}});
    // Another replica may have reported it.
    if (!is_reported) warning(std::string(kFieldConflict), message);
    state_.write_metrics().conflict();
    conflicts.report(child, std::move(message));
  }
  note_contested(conflicts.report_of(child), *decision.wait);
  co_return false;
}

void BasicPass::note_unchanged(const kube::Resource& resource, const kube::Key& key) {
  state_.write_metrics().unchanged();
  const auto child = child_id(resource, key);
  const auto decision = state_.conflicts().unchanged(child, clock.now());
  if (decision.wait) note_contested(state_.conflicts().report_of(child), *decision.wait);
  has_conflict_ended_ = has_conflict_ended_ || decision.has_ended;
  if (decision.has_ended) state_.write_metrics().conflict_ended();
}

void BasicPass::note_contested(const std::string& message, async::Duration retry_after) {
  if (!conflict_) conflict_ = message;
  conflict_retry_ = std::min(conflict_retry_.value_or(retry_after), retry_after);
}

void BasicPass::retain_conflict(const std::vector<kube::Condition>& stored) {
  const auto* reported = own_conflict(stored);
  if (conflict_ && (reported == nullptr || has_conflict_ended_)) {
    set_condition(kConflictCondition, true, std::string(kFieldConflict), *conflict_);
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
  if (conflict_ || reported == nullptr || is_dry_run()) return;
  // A conflict that this process has not seen was reported by another one, or before a restart.
  const auto age = clock.wall_now() - reported->last_transition_time;
  const auto rest = std::chrono::duration_cast<async::Duration>(2 * kContestedInterval - age);
  if (!has_conflict_ended_ && rest > async::Duration::zero()) {
    conflict_retry_ = std::min(conflict_retry_.value_or(rest), rest);
    return;
  }
  kube::remove_condition(*conditions_, kConflictCondition);
  report_immediately();
}

Result<Outcome> BasicPass::with_conflict_retry(Result<Outcome> outcome) const {
  if (!outcome || !conflict_retry_) return outcome;
  const auto after = outcome->after();
  return Outcome::requeue_after(after ? std::min(*after, *conflict_retry_) : *conflict_retry_);
}

Result<void> BasicPass::check_not_superseded() const {
  const auto now = state_.informer.get(object_.key());
  if (now && now->uid() == object_.uid() && now->generation() == object_.generation() &&
      now->deleting() == object_.deleting() && !state_.pause_of(*now)) {
    return {};
  }
  return superseded();
}

Error BasicPass::superseded() const {
  is_superseded_ = true;
  if (trace_ != nullptr) trace_->note_result(ReconcileResult::kSuperseded);
  auto error = invalid_error("a newer " + state_.resource.kind + " " + object_.key().text() + " supersedes this pass");
  error.reason = kSuperseded;
  return error;
}

bool BasicPass::is_stale(const kube::Resource& children) const {
  return state_.consistent_read().may_be_stale(state_.resource, children);
}

bool BasicPass::was_applied_text(const kube::Resource& resource, const kube::Key& key, std::string_view desired) const {
  const auto found = cached_child(resource, key);
  return found && controller::was_applied(*found, desired, client.operator_name());
}

Result<std::optional<std::string>> BasicPass::digest_in_cache(const kube::Resource& resource,
                                                              std::string_view name) const {
  const auto ns = resource.namespaced ? object_.ns() : std::string_view();
  // refers_to() declares it without selectors.
  const auto informer = state_.context.cache.find(resource, cache::Selection());
  if (!informer)
    return invalid_error("digest of " + resource.kind + " " + std::string(name) + ": add .refers_to<" + resource.kind +
                         ">(…) to the definition");
  const auto found = (*informer)->get(kube::Key(ns, name));
  if (!found) return std::optional<std::string>();
  KEELSON_LET(auto digest, cache::digest_of(*found));
  return std::optional(std::move(digest));
}

std::optional<kube::Object> BasicPass::cached_child(const kube::Resource& resource, kube::Key key) const {
  if (!resource.namespaced) key.ns.clear();
  auto found = reading(resource).get(key);
  if (!found || !is_controlled_by(*found, object_)) return std::nullopt;
  return found;
}

// Compares kind and name too: any user can write any uid into their own objects.
std::vector<kube::Object> BasicPass::controlled_by(const kube::Resource& resource, std::string_view owner_kind,
                                                   const kube::Object& owner) const {
  auto owned = reading(resource).owned_by(owner);
  std::erase_if(owned, [&](const kube::Object& child) {
    const auto controller = child.controller_owner();
    return !is_controlled_by(child, owner) || controller->kind != owner_kind || controller->name != owner.name();
  });
  return owned;
}

Error BasicPass::child_is_deleting(const kube::Resource& resource, const kube::Key& key) {
  auto error = invalid_error(resource.kind + " " + key.text() + " is being deleted.");
  error.reason = kChildDeleting;
  has_readiness_ = false;
  if (!problem_) problem_ = {kube::Readiness::kReconciling, kChildDeleting, error.text};
  return error;
}

// The first problem of a pass is reported, because those of later children may follow from it.
void BasicPass::note_problem(const kube::Resource& resource, const kube::Key& key, bool creates, const Error& error) {
  std::optional<ChildProblem> problem;
  if (is_not_owned(error)) {
    problem = {kube::Readiness::kStalled, "NotOwned", error.text};
  } else if (is_rejection(error)) {
    problem = {kube::Readiness::kStalled, creates ? "CreateFailed" : "UpdateFailed",
               resource.kind + " " + key.text() + ": " + words_of(error)};
  }
  if (!problem) return;
  has_readiness_ = false;
  warning(problem->reason, problem->message);
  if (!problem_ || problem_->readiness == kube::Readiness::kReconciling) problem_ = std::move(problem);
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
  record(state_, object_, EventRecorder::Type::kNormal, std::move(reason), std::move(note), std::move(details));
}

void BasicPass::warning(std::string reason, std::string note, EventDetails details) {
  record(state_, object_, EventRecorder::Type::kWarning, std::move(reason), std::move(note), std::move(details));
}

std::string BasicPass::environment(const char* name, std::string otherwise) const {
  const auto* value = state_.context.environment(name);
  return value == nullptr || *value == '\0' ? otherwise : std::string(value);
}

Error BasicPass::was_read(const kube::Resource& resource) {
  return invalid_error("apply " + resource.kind +
                       ": the object was read from the API server; build a new one with the fields to set");
}

Error BasicPass::without_namespace(const kube::Resource& resource, const std::string& name) const {
  return invalid_error("apply " + resource.kind + " " + name +
                       ": set its namespace (metadata.ns): " + state_.resource.kind + "s have none");
}

void BasicPass::clear_problem() {
  const auto* stalled = kube::find_condition(*conditions_, "Stalled");
  const auto* reconciling = kube::find_condition(*conditions_, "Reconciling");
  const auto is_ours = [](const kube::Condition* condition) {
    if (condition == nullptr) return false;
    const auto& reason = condition->reason;
    return reason == "NotOwned" || reason == "CreateFailed" || reason == "UpdateFailed" || reason == kChildDeleting;
  };
  if (!is_ours(stalled) && !is_ours(reconciling)) return;
  for (const auto* type : {"Ready", "Reconciling", "Stalled"}) kube::remove_condition(*conditions_, type);
}

void BasicPass::set_readiness(kube::Readiness readiness, std::string reason, std::string message) {
  note_readiness();
  kube::set_readiness(*conditions_, readiness, std::move(reason), std::move(message), object_.generation(),
                      clock.wall_now());
}

void BasicPass::set_condition(std::string_view type, bool holds, std::string reason, std::string message) {
  kube::set_condition(*conditions_, type, {holds, std::move(reason), std::move(message)}, object_.generation(),
                      clock.wall_now());
}

}  // namespace keelson::controller
