// The API inside a reconcile function: reads, applies, status, conditions, Events and log of a single reconcile.
//
//   Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
//     core::v1::ConfigMap config_map{.metadata = {.name = greeting.name()}, .data = {{"greeting", "Hello!"}}};
//     KEELSON_CO_TRY(co_await pass.apply(config_map));
//     pass.ready("Greeted", "The ConfigMap has the greeting.");
//     co_return done();
//   }
//
// Which method:
// - a child that must always have the desired state: apply(). A child that never changes, such as a Job: create().
// - children that are no longer desired: prune() after all applies, or remove() for a single child.
// - reads: get(), child(), children() and by_index() from the cache, without a request and without waiting.
//   get_live() and consistent_read() send requests.
// - the result for users: ready(), reconciling(), stalled(), condition() and status(); event() and warning().
//
// The pass ends with the function. Then the framework writes the status once if it differs from the stored one: the
// conditions with their transition times, and observedGeneration if the status has it. A status that only reports
// progress is held back for up to a second, so that several changes become one write. A status that is ready, that
// turns stalled, or that belongs to a failed pass is written immediately.
//
// Errors: return the Error of a method (KEELSON_CO_TRY). The framework logs it, retries with backoff, and reports the
// problem of a child in the status.
//
// Superseded passes: if the spec changes, or the object is deleted or paused, while the pass runs, applies, creations,
// deletions and consistent reads return an Error from then on. Such a pass writes nothing more, not even its status,
// and the next one begins immediately.
//
// The Pass belongs to the framework and lives until the function has returned. It must not be copied, and coroutines
// that outlive the function must not refer to it.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <concepts>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/cache/typed_reads.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/events.hpp"
#include "keelson/controller/own_condition.hpp"
#include "keelson/controller/pass_state.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/readiness.hpp"

namespace keelson::controller {

struct ChildUpdate;

// The return type of a reconcile function. An Error is retried with backoff, unless it is terminal().
using Reconciled = boost::asio::awaitable<Result<Outcome>>;

// The pass has succeeded; the next one begins when the object or a watched object that maps to it changes.
[[nodiscard]] inline Result<Outcome> done() { return Outcome::done(); }
// The pass has succeeded, and the next one begins after `delay` at the latest; zero or less: immediately.
[[nodiscard]] inline Result<Outcome> requeue_after(async::Duration delay) { return Outcome::requeue_after(delay); }

// The reason why a child does not have its desired state. If `readiness` is kStalled, a user or administrator must fix
// it; a problem with kReconciling disappears by itself.
struct ChildProblem {
  kube::Readiness readiness;
  std::string reason;   // of the conditions: "NotOwned", "CreateFailed", "UpdateFailed", "ChildDeleting"
  std::string message;  // a sentence, with the API server's text
};

// The optional fields of an Event.
struct EventDetails {
  std::string action = "Reconcile";      // one CamelCase word
  std::optional<RelatedObject> related;  // the second object that the Event is about, such as a child
};

// The part of a pass that does not depend on the kind.
class BasicPass {
 public:
  // The state must outlive the pass.
  BasicPass(PassState& state, kube::Object object, Logger logger);
  BasicPass(const BasicPass&) = delete;
  BasicPass& operator=(const BasicPass&) = delete;

  // Its lines have the keys controller, kind, namespace, name, reconcileID and reason.
  Logger log;
  async::Clock& clock;  // the time, which tests control
  // For requests that the methods below do not send. The cache contains its writes immediately. It also writes in a
  // superseded pass.
  kube::Client& client;

  // Applies the desired state of a child, an object that this one controls, with server-side apply. The child gets the
  // owner reference, and this object's namespace unless it has its own. Drift in the fields that are set here is
  // corrected; other fields are left alone. Nothing is sent if the cached child has the desired state. Returns the
  // child as it is now. Needs `.owns<T>()`.
  //
  // Errors, with the conditions that are set at the end of the pass unless the function sets others afterwards:
  // - NotOwned: an object of that name is not controlled by this one. It is not changed. A Warning Event is recorded,
  //   and the object is Stalled.
  // - CreateFailed, UpdateFailed: the API server rejects the write (rejection.hpp). A Warning Event is recorded,
  //   and the object is Stalled.
  // - ChildDeleting: a child of that name is being deleted. The object is Reconciling, nothing is logged, and the next
  //   pass begins after kWait (5 s).
  // - other errors, such as a timeout or a 409 of a stale cache, set no condition and are retried.
  //
  // Conflicts: if another writer changes the same field back after each of several corrections, the child is corrected
  // only once per 1m5s until that ends or the desired state changes. Meanwhile the call returns the child as it is.
  // The object has the condition Conflict, and a Warning Event, with the field and both field managers.
  //
  // Construct `child` again in each pass, with only the fields to set. An object that was read fails with kInvalid,
  // because the apply would own all of its fields. The projection of T must contain every field that is set here
  // (kInvalid otherwise).
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<T>> apply(T child) {
    KEELSON_CO_TRY(co_await apply_untyped(untyped(child)));
    co_return std::move(child);
  }

  template <class T>
  struct Created {
    T object;
    bool is_new;  // false: it exists already, from an earlier pass or from a create whose reply was lost
  };
  // Creates a child that is never changed afterwards, such as a Job. If a child of that name exists and this object
  // controls it, the call succeeds without a change, so derive the name from what must happen only once. The errors
  // are those of apply().
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<Created<T>>> create(T child) {
    bool is_new = false;
    KEELSON_CO_TRY(co_await create_untyped(untyped(child), is_new));
    co_return Created<T>{std::move(child), is_new};
  }

  // Deletes `object`, which was read, by its uid: never a later object of that name. Its dependents are deleted in the
  // background. Succeeds if it is gone already. Fails with kInvalid without a uid. It does not check that this object
  // controls `object`.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<void>> remove(const T& object) {
    return remove_uid(kube::resource_of<T>(), kube::key_of(object), object.metadata.uid);
  }

  // Deletes the children of this kind that this pass has neither applied nor created, after a consistent read. Call it
  // after all applies of T, because it also deletes children that have not been applied yet.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<void>> prune() {
    return prune_resource(kube::resource_of<T>());
  }

  // Reads an object from the cache; empty if it does not exist. Needs `.owns<T>()` or `.watches<T>(…)` (base::Misuse
  // otherwise). The cache contains all writes of this process, but may be stale for those of other processes. Fields
  // that the watch does not cache (WatchOptions::projection, only_metadata) are as in T{}. Fails with kMalformed if the
  // object does not fit T.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::optional<T>> get(const kube::Key& key) const {
    return cache::get<T>(state_.context.informer(kube::resource_of<T>()), key);
  }
  // Reads the child of that name, in this object's namespace unless `ns` is set; empty if it does not exist or this
  // object does not control it.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::optional<T>> child(std::string_view name, std::string_view ns = "") const {
    return cache::decode_found<T>(cached_child(kube::resource_of<T>(), {ns.empty() ? object_.ns() : ns, name}));
  }
  // The objects of the kind that this one controls, from the cache, in no particular order.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> children() const {
    return cache::decode_all<T>(controlled_by(kube::resource_of<T>(), state_.resource.kind, object_));
  }
  // The same without decoding, for reading a few fields of many objects (kube/fields.hpp).
  template <kube::TypedObject T>
  [[nodiscard]] std::vector<kube::Object> child_objects() const {
    return controlled_by(kube::resource_of<T>(), state_.resource.kind, object_);
  }
  // The objects that another cached object controls, such as the Pods of a ReplicaSet. Empty if `owner` is no longer in
  // the cache.
  template <kube::TypedObject T, kube::TypedObject Owner>
  [[nodiscard]] Result<std::vector<T>> children_of(const Owner& owner) const {
    const auto cached = state_.context.informer(kube::resource_of<Owner>()).get(kube::key_of(owner));
    if (!cached || cached->uid() != owner.metadata.uid) return std::vector<T>();
    return cache::decode_all<T>(controlled_by(kube::resource_of<T>(), Owner::kIdentity.kind, *cached));
  }

  // The digest of the content of an object that `.refers_to<R>(…)` declares, in this object's namespace; empty if it
  // does not exist. As an annotation of a pod template it starts a rollout when a Secret changes. Fails with kInvalid
  // without refers_to.
  template <kube::TypedObject R>
  [[nodiscard]] Result<std::optional<std::string>> digest(std::string_view name) const {
    return digest_in_cache(kube::resource_of<R>(), name);
  }
  // The objects of kind T, in all namespaces, that have `value` in the index (Definition::indexed_by,
  // WatchOptions::indexes). Throws base::Misuse if the index is not declared.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> by_index(std::string_view index, std::string_view value) const {
    return cache::decode_all<T>(state_.context.informer(kube::resource_of<T>()).by_index(index, value), read<T>);
  }

  // Reads an object from the API server; empty if it does not exist. It sends a list with a field selector, so it needs
  // the permission `list`, which a watch of the kind implies.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<T>>> get_live(kube::Key key) const {
    KEELSON_CO_LET(const auto found, co_await live(kube::resource_of<T>(), std::move(key)));
    if (!found) co_return std::optional<T>();
    KEELSON_CO_LET(auto object, kube::decode_object<T>(*found));
    co_return std::optional<T>(std::move(object));
  }

  // Makes the cache consistent before a decision that must not be made twice, such as which child is next: afterwards
  // the cache has this object's children of the kind as the API server has them, or newer. Read them again after it. It
  // sends requests only in the first passes after the lease was acquired, while the cache may be older than the writes
  // of the former leader. If the object itself has changed, the pass is superseded. Fails with kInvalid for a kind that
  // the controller selects by fields, because such a cache cannot contain what a list returns.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<void>> consistent_read() {
    return consistent_read_of(kube::resource_of<T>());
  }
  // True while the cached children of this kind may be older than the writes of the former leader: at least until the
  // first consistent_read() of the kind, for any object.
  template <kube::TypedObject T>
  [[nodiscard]] bool may_be_stale() const {
    return is_stale(kube::resource_of<T>());
  }

  // True if this object is the controller of `object`, which was read, by the uid of its owner reference.
  template <kube::TypedObject T>
  [[nodiscard]] bool controls(const T& object) const {
    return std::ranges::any_of(object.metadata.owner_references, [&](const auto& reference) {
      return reference.controller.value_or(false) && reference.uid == object_.uid();
    });
  }
  // True if `child` is the desired state that was last applied under its name, regardless of drift since then.
  template <kube::TypedObject T>
  [[nodiscard]] bool was_applied(T child) const {
    const auto desired = desired_of(untyped(child));
    return desired && was_applied_text(kube::resource_of<T>(), kube::key_of(child), *desired);
  }

  // Record an Event of this object, of type Normal or Warning, for `kubectl describe`. They never fail and never wait
  // (events.hpp). `reason` is one CamelCase word, `note` a sentence.
  void event(std::string reason, std::string note, EventDetails details = {});
  void warning(std::string reason, std::string note, EventDetails details = {});

  // A variable of the process environment; `otherwise` if it is not set or empty.
  [[nodiscard]] std::string environment(const char* name, std::string otherwise = "") const;
  // Context::is_dry_run(): change nothing outside of the API server.
  [[nodiscard]] bool is_dry_run() const { return state_.context.is_dry_run(); }

  // True for a cached object with the annotation `keelson.dev/paused` (pause.hpp), which must not be changed; the
  // condition Paused then names it. For writes with `client`: apply(), remove() and prune() leave such a child alone
  // and succeed, as if it had the desired state.
  template <kube::TypedObject T>
  [[nodiscard]] bool is_paused(const kube::Key& key) {
    return is_paused_child(kube::resource_of<T>(), key);
  }

  // The object as the cache had it when the pass began.
  [[nodiscard]] const kube::Object& object() const { return object_; }
  // The first problem of a child in this pass; a stalled one replaces an earlier one that is reconciling.
  [[nodiscard]] const std::optional<ChildProblem>& problem() const { return problem_; }

  // Writes the status at the end of this pass without coalescing, even if it only reports progress: for a change that
  // users wait for.
  void report_immediately() { is_urgent_ = true; }

  // For the framework: report the paused children after the end of the pass. `is_reported`: an earlier pass had some.
  [[nodiscard]] bool has_pause_to_report(const Result<Outcome>& outcome, bool is_reported) const;
  [[nodiscard]] Reconciled report_paused(Result<Outcome> outcome);

 protected:
  void set_readiness(kube::Readiness readiness, std::string reason, std::string message);
  void set_condition(std::string_view type, bool holds, std::string reason, std::string message);

  // The function has set the readiness, and no child had a problem afterwards.
  [[nodiscard]] bool has_readiness() const { return has_readiness_; }
  void note_readiness() { has_readiness_ = true; }
  [[nodiscard]] bool is_urgent() const { return is_urgent_; }
  [[nodiscard]] bool is_superseded() const { return is_superseded_ || is_paused_now(); }
  [[nodiscard]] Error superseded() const;
  // Removes the conditions that the problem() of an earlier pass has set.
  void clear_problem();
  // Sets the condition Conflict if a child is contested, restores it from `stored` if it may still hold, and removes it
  // otherwise.
  void finish_conflict(const std::vector<kube::Condition>& stored, bool succeeded);
  // Makes the next pass begin early enough for a contested child.
  [[nodiscard]] Result<Outcome> with_conflict_retry(Result<Outcome> outcome) const;

  PassState& state_;
  std::vector<kube::Condition>* conditions_ = nullptr;  // those of the status; null if it has none

 private:
  // A child without its C++ type: the functions below are not templates, so that each kind costs little code.
  struct Untyped {
    const kube::Identity& identity;
    const kube::Type& type;
    void* value;  // of `type`
    std::string& ns;
    const std::string& name;
    std::map<std::string, std::string>* annotations;  // null if the metadata of its struct has none
    bool was_read;                                    // it has a uid or a resourceVersion
  };
  template <kube::TypedObject T>
  [[nodiscard]] static Untyped untyped(T& child) {
    auto& metadata = child.metadata;
    std::map<std::string, std::string>* annotations = nullptr;
    if constexpr (requires { child.metadata.annotations; }) annotations = &child.metadata.annotations;
    return {T::kIdentity,
            kube::type_of<T>(),
            &child,
            metadata.ns,
            metadata.name,
            annotations,
            !metadata.uid.empty() || !metadata.resource_version.empty()};
  }
  // The JSON of a child, after the call has set its namespace.
  [[nodiscard]] Result<std::string> desired_of(const Untyped& child) const;
  // These replace the value by the stored object. After an error it may be partly filled.
  [[nodiscard]] boost::asio::awaitable<Result<void>> apply_untyped(Untyped child);
  [[nodiscard]] boost::asio::awaitable<Result<void>> create_untyped(Untyped child, bool& is_new);
  [[nodiscard]] Result<std::optional<std::string>> digest_in_cache(const kube::Resource& resource,
                                                                   std::string_view name) const;
  [[nodiscard]] static Error was_read(const kube::Resource& resource);
  [[nodiscard]] Error without_namespace(const kube::Resource& resource, const std::string& name) const;
  [[nodiscard]] boost::asio::awaitable<Result<kube::Object>> apply_text(kube::Resource resource, kube::Key key,
                                                                        std::string desired);
  [[nodiscard]] boost::asio::awaitable<Result<kube::Object>> create_text(kube::Resource resource, kube::Key key,
                                                                         std::string desired, bool& is_new);
  [[nodiscard]] boost::asio::awaitable<Result<void>> remove_uid(kube::Resource resource, kube::Key key,
                                                                std::string uid);
  [[nodiscard]] boost::asio::awaitable<Result<void>> prune_resource(kube::Resource resource);
  [[nodiscard]] boost::asio::awaitable<Result<void>> consistent_read_of(kube::Resource children);
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<kube::Object>>> live(kube::Resource resource,
                                                                                 kube::Key key) const;
  [[nodiscard]] boost::asio::awaitable<Result<void>> check_current();
  [[nodiscard]] boost::asio::awaitable<Result<bool>> may_update(kube::Resource resource, kube::Key key,
                                                                ChildUpdate update);
  void note_unchanged(const kube::Resource& resource, const kube::Key& key);
  void note_contested(const std::string& message, async::Duration retry_after);
  [[nodiscard]] Result<void> check_not_superseded() const;
  [[nodiscard]] bool is_stale(const kube::Resource& children) const;
  [[nodiscard]] bool was_applied_text(const kube::Resource& resource, const kube::Key& key,
                                      std::string_view desired) const;
  [[nodiscard]] std::optional<kube::Object> cached_child(const kube::Resource& resource, kube::Key key) const;
  [[nodiscard]] std::vector<kube::Object> controlled_by(const kube::Resource& resource, std::string_view owner_kind,
                                                        const kube::Object& owner) const;
  [[nodiscard]] Error child_is_deleting(const kube::Resource& resource, const kube::Key& key);
  void note_problem(const kube::Resource& resource, const kube::Key& key, bool creates, const Error& error);
  // Removes the annotations with which users pause and reconcile an object: they are not for its children.
  void drop_requests(std::map<std::string, std::string>& annotations) const;
  [[nodiscard]] bool is_paused_now() const;
  [[nodiscard]] bool is_paused_child(const kube::Resource& resource, const kube::Key& key);
  [[nodiscard]] bool is_paused_child(const kube::Resource& resource, const kube::Object& child);

  kube::Object object_;
  std::optional<ChildProblem> problem_;
  std::vector<PausedChild> paused_;
  std::set<std::pair<std::string, kube::Key>> desired_;  // "deployments.apps" and the key of each child
  std::optional<std::string> conflict_;                  // of the first contested child
  std::optional<async::Duration> conflict_retry_;        // the delay until the first contested child is observed again
  bool has_conflict_ended_ = false;
  bool has_readiness_ = false;
  bool is_urgent_ = false;
  mutable bool is_superseded_ = false;  // set when the Error is created, even if the function ignores the Error
};

// The delay before the next pass while a child is being deleted. The end of the deletion is a watch event too, but if
// the object lacks our owner reference, the event does not map to our object.
inline constexpr std::chrono::seconds kWait(5);
// The Error of apply() while a child of that name is being deleted.
[[nodiscard]] bool is_waiting(const Error& error);
// The Error of a pass that a newer spec has superseded.
[[nodiscard]] bool is_superseded(const Error& error);

// True for a status that is ready or that turns stalled. It is unlikely to change again soon, so it is not coalesced.
[[nodiscard]] bool is_settled(const std::vector<kube::Condition>& before, const std::vector<kube::Condition>& after);

// Undoes changes of order and time: sorts `conditions` as in `before`, and restores the transition time of each
// condition that has the same status as before, although the pass may have changed it back and forth.
void align_conditions(std::vector<kube::Condition>& conditions, const std::vector<kube::Condition>& before);

// Throws the base::Misuse for a condition in a status that kConditions of its kind does not list.
[[noreturn]] void misuse_condition(const kube::Object& object, const std::string& type);

// True if `after` differs from `before` in more than the messages of conditions. The message of an error may change
// with every try, and must not cause a write with every try.
template <class Status>
[[nodiscard]] bool differs_beyond_messages(Status before, Status after) {
  for (auto* status : {&before, &after}) {
    for (auto& condition : status->conditions) condition.message.clear();
  }
  return kube::encode(before) != kube::encode(after);
}

// True for a kind with `static constexpr bool kSharesStatus = true`: other controllers write fields of its status too.
// Then the status is not applied; a patch with the fields that differ from the status that was read is sent instead,
// and the API server rejects it with 409 if the object has changed since.
template <class T>
[[nodiscard]] constexpr bool shares_status() {
  if constexpr (requires { T::kSharesStatus; }) return T::kSharesStatus;
  return false;
}

template <class Status>
concept HasConditions = requires(Status& status) {
  { status.conditions } -> std::same_as<std::vector<kube::Condition>&>;
};

// A pass for an object of an existing kind, whose status belongs to another controller: a child's problem is reported
// as an Error and an Event only.
template <kube::TypedObject T>
class Pass : public BasicPass {
 public:
  Pass(PassState& state, kube::Object object, Logger logger, const T&)
      : BasicPass(state, std::move(object), std::move(logger)) {}

  // Converts the function's result to that of the reconcile; for the framework.
  [[nodiscard]] Reconciled end(Result<Outcome> outcome) {
    if (is_superseded()) co_return requeue_after(async::Duration::zero());
    if (!outcome && is_waiting(outcome.error())) co_return requeue_after(kWait);
    co_return with_conflict_retry(std::move(outcome));
  }
};

// A pass for an object of your own kind, with its status.
template <CustomKind T>
class Pass<T> : public BasicPass {
 public:
  using Status = typename T::Status;

  Pass(PassState& state, kube::Object object, Logger logger, const T& read)
      : BasicPass(state, std::move(object), std::move(logger)), stored_(own_part(read.status)), status_(stored_) {
    if constexpr (HasConditions<Status>) {
      conditions_ = &status_.conditions;
      for (const auto& condition : read.status.conditions) {
        if (!is_own(condition.type)) others_.push_back(condition.type);
      }
    }
  }

  // The status that will be written, initially the stored one. Set its fields here, and conditions with the methods
  // below. A field that the encoding omits, such as an empty std::optional, is removed from the stored status.
  [[nodiscard]] Status& status() { return status_; }
  // Replaces the status including its conditions, for a status that a pure function computes.
  // Conditions of other controllers in it, from a copy of the stored status, are left to them.
  void set_status(Status status) {
    status_ = std::move(status);
    if constexpr (HasConditions<Status> && !shares_status<T>()) {
      std::erase_if(status_.conditions, [this](const kube::Condition& condition) {
        return !is_own(condition.type) && std::ranges::find(others_, condition.type) != others_.end();
      });
    }
    note_readiness();
  }
  // The status that is stored, without conditions of other controllers.
  [[nodiscard]] const Status& stored_status() const { return stored_; }

  // Set the conditions Ready, Reconciling and Stalled, which `kubectl wait`, Argo CD and Flux evaluate (kstatus). The
  // last call counts. `reason` is one CamelCase word, `message` a sentence. Without a call, the problem of a child sets
  // them. If there is no problem either, the stored ones remain, but those of an earlier pass's problem are removed.
  void ready(std::string reason, std::string message) {
    set(kube::Readiness::kReady, std::move(reason), std::move(message));
  }
  // Not ready yet; waiting is enough.
  void reconciling(std::string reason, std::string message) {
    set(kube::Readiness::kReconciling, std::move(reason), std::move(message));
  }
  // Not ready, and a user or administrator must act.
  void stalled(std::string reason, std::string message) {
    set(kube::Readiness::kStalled, std::move(reason), std::move(message));
  }
  // Sets another condition to True or False. kConditions of the kind must list its type; another type does not compile.
  void condition(OwnCondition<T> type, bool holds, std::string reason, std::string message) {
    static_assert(HasConditions<Status>, "add `std::vector<kube::Condition> conditions` to the status");
    set_condition(type, holds, std::move(reason), std::move(message));
  }

  // Writes the status now instead of at the end, if it must be stored before the next step of the pass, such as the
  // name of a child before its creation. Returns false if the object is gone. Return an Error of it from the function,
  // because the rest of the pass relies on the write.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> write_status() {
    check_conditions();
    if (has_readiness()) finish(true);
    auto text = kube::encode(status_);
    if (is_superseded()) co_return superseded();
    if (text == kube::encode(stored_)) co_return true;
    auto written = co_await state_.write_status(object(), std::move(text), true);
    has_failed_write_ = !written;
    if (!written) co_return std::move(written).error();
    stored_ = status_;
    co_return written->has_value();
  }

  // For the framework: writes the status at the end of the function.
  [[nodiscard]] Reconciled end(Result<Outcome> outcome) {
    if (is_superseded()) co_return requeue_after(async::Duration::zero());
    // The function returned because write_status() failed. The next try repeats it from there.
    if (has_failed_write_ && !outcome) co_return outcome;
    // The function's own Error is reported rather than the mistake, which the next success reports.
    if (outcome) check_conditions();
    if (!outcome) status_ = own_part(std::move(status_));
    finish(outcome.has_value());
    if (!outcome && is_waiting(outcome.error())) outcome = requeue_after(kWait);
    outcome = with_conflict_retry(std::move(outcome));
    auto text = kube::encode(status_);
    auto is_immediate = true;
    if (text == kube::encode(stored_) || !is_worth_writing(outcome.has_value(), is_immediate)) {
      state_.forget_status(object().key());
      state_.count_unchanged_status();
      co_return outcome;
    }
    auto written = co_await state_.write_status(object(), std::move(text), is_immediate);
    co_return combined(std::move(outcome), std::move(written));
  }

  // True for a condition type that the kind's controller sets; other types belong to other controllers.
  [[nodiscard]] static bool is_own(std::string_view type) { return is_own_condition<T>(type); }

 private:
  // The conditions that this controller owns. An apply that repeated those of other controllers would take their
  // ownership. A shared status is patched, which replaces the whole list, so it has all of them.
  static Status own_part(Status status) {
    if constexpr (HasConditions<Status> && !shares_status<T>()) {
      std::erase_if(status.conditions, [](const kube::Condition& condition) { return !is_own(condition.type); });
    }
    return status;
  }
  void set(kube::Readiness readiness, std::string reason, std::string message) {
    static_assert(HasConditions<Status>, "add `std::vector<kube::Condition> conditions` to the status");
    set_readiness(readiness, std::move(reason), std::move(message));
  }
  // Throws base::Misuse for a condition that is not own: the next pass would not read it, and would write it again.
  void check_conditions() const {
    if constexpr (HasConditions<Status> && !shares_status<T>()) {
      for (const auto& condition : status_.conditions) {
        if (!is_own(condition.type)) misuse_condition(object(), condition.type);
      }
    }
  }
  // Completes the status at the end of the function: observedGeneration, and the conditions of a child's problem.
  void finish(bool succeeded) {
    if constexpr (requires { status_.observed_generation; }) {
      if (succeeded || problem()) status_.observed_generation = object().generation();
    }
    if constexpr (HasConditions<Status>) {
      if (!has_readiness() && problem()) {
        set(problem()->readiness, problem()->reason, problem()->message);
      } else if (!has_readiness() && succeeded) {
        clear_problem();
      }
      finish_conflict(stored_.conditions, succeeded);
      align_conditions(status_.conditions, stored_.conditions);
    }
  }
  // False if a failed pass changes only messages of conditions, which may differ with every try. The message of a
  // child's problem is written, coalesced.
  [[nodiscard]] bool is_worth_writing(bool succeeded, bool& is_immediate) const {
    if constexpr (HasConditions<Status>) {
      if (!succeeded) {
        is_immediate = differs_beyond_messages(stored_, status_);
        return is_immediate || problem();
      }
      is_immediate = is_urgent() || is_settled(stored_.conditions, status_.conditions);
    }
    return true;
  }
  // The function's result and that of the status write. The function's Error has precedence, because the next try
  // writes the status too; after a terminal one there is no next try, so then a failed write counts. Of two delays the
  // shorter one counts.
  static Result<Outcome> combined(Result<Outcome> outcome, Result<std::optional<Outcome>> written) {
    const bool is_last = !outcome && outcome.error().kind == Error::Kind::kTerminal;
    if (!outcome && (written || !is_last)) return outcome;
    if (!written) return std::move(written).error();
    if (!*written) return Outcome::done();
    const auto& later = **written;
    const bool is_sooner = later.after() && (!outcome->after() || *later.after() < *outcome->after());
    return is_sooner ? later : *outcome;
  }

  Status stored_;
  Status status_;
  std::vector<std::string> others_;  // types of conditions that other controllers set
  bool has_failed_write_ = false;
};

}  // namespace keelson::controller

namespace keelson {
using controller::done;
using controller::Pass;
using controller::Reconciled;
using controller::requeue_after;
}  // namespace keelson
