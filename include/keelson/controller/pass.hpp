// One reconcile of one object: what its function reads, applies and reports, and with what.
//
//   Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
//     core::v1::ConfigMap config_map{.metadata = {.name = greeting.name()}, .data = {{"greeting", "Hello!"}}};
//     KEELSON_CO_TRY(co_await pass.apply(config_map));
//     pass.ready("Greeted", "The ConfigMap has the greeting.");
//     co_return done();
//   }
//
// The pass ends with the function. Then the framework writes the status once, if it differs: the conditions with the
// times of their transitions, and observedGeneration if the status has it. Progress is coalesced for up to a second; a
// status that is ready, turns stalled or is of a failed pass is written immediately.
//
// A pass that a newer spec has superseded writes nothing more: its reads and writes return an Error, and the next pass
// begins immediately.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <concepts>
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
#include "keelson/kube/condition.hpp"
#include "keelson/kube/readiness.hpp"
#include "keelson/kube/typed_object.hpp"

namespace keelson::controller {

// What a reconcile function returns. An Error is retried with backoff, unless it is terminal().
using Reconciled = boost::asio::awaitable<Result<Outcome>>;

[[nodiscard]] inline Result<Outcome> done() { return Outcome::done(); }
// Reconcile again after `delay`; zero or less is at once.
[[nodiscard]] inline Result<Outcome> requeue_after(async::Duration delay) { return Outcome::requeue_after(delay); }

// What keeps a child from its desired state: of kStalled, time alone does not fix it.
struct Problem {
  kube::Readiness readiness;
  std::string reason;
  std::string message;
};

// What an Event also says.
struct EventDetails {
  std::string action = "Reconcile";      // one CamelCase word
  std::optional<RelatedObject> related;  // the second object that it is about, such as a child
};

// The part that is the same for all kinds.
class BasicPass {
 public:
  // The state must outlive the pass.
  BasicPass(PassState& state, kube::Object object, Logger logger);
  BasicPass(const BasicPass&) = delete;
  BasicPass& operator=(const BasicPass&) = delete;

  // With controller, kind, namespace, name and reconcileID.
  Logger log;
  async::Clock& clock;
  // For requests that the methods below do not make; its reads see this process's own writes.
  kube::Client& client;

  // Applies a child: an object that this one controls. It gets the owner reference, and this object's namespace unless
  // it names one. Only fields that are set here are corrected when others change them. Nothing is sent when the cached
  // child has them all. Returns the child as it is now. Needs `.owns<T>()`.
  //
  // An object of that name that this one does not control is left alone: an Error, a Warning Event, and the condition
  // Stalled with reason NotOwned. So is a write that the API server rejects (CreateFailed, UpdateFailed). While a child
  // of that name is being deleted: an Error that is not logged, the condition Reconciling, and another pass after
  // kWait. These conditions are set at the end of the pass, unless the function goes on after the Error and sets
  // others.
  //
  // Build `child` anew with the fields to set: an object that was read is kInvalid, because the apply would own all of
  // its fields. A projection of T must keep every field that is set here.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<T>> apply(T child) {
    KEELSON_CO_LET(const auto desired, desired_of(child));
    KEELSON_CO_LET(auto applied,
                   co_await apply_text(kube::resource_of<T>(), {child_namespace(child), child.metadata.name}, desired));
    co_return kube::decode_object<T>(applied);
  }

  template <class T>
  struct Created {
    T object;
    bool is_new;  // false: created earlier, and its reply was lost or the cache does not have it yet
  };
  // Creates a child that is never changed afterwards, such as a Job. Errors as of apply().
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<Created<T>>> create(T child) {
    KEELSON_CO_LET(const auto desired, desired_of(child));
    bool is_new = false;
    KEELSON_CO_LET(auto created, co_await create_text(kube::resource_of<T>(),
                                                      {child_namespace(child), child.metadata.name}, desired, is_new));
    KEELSON_CO_LET(auto object, kube::decode_object<T>(created));
    co_return Created<T>{std::move(object), is_new};
  }

  // Deletes this very object, and in the background what it owns. Success also when it is gone already.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<void>> remove(const T& object) {
    return remove_uid(kube::resource_of<T>(), kube::key_of(object), object.metadata.uid);
  }

  // Deletes the children of this kind that this pass has neither applied nor created, after a consistent read.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<void>> prune() {
    return prune_resource(kube::resource_of<T>());
  }

  // From the cache; empty if there is no such object. Needs `.owns<T>()` or `.watches<T>(…)`. It may be older than what
  // another process wrote; it is never older than a write of this process. Fields that the watch does not cache
  // (WatchOptions::projection, only_metadata) are as in T{}.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::optional<T>> get(const kube::Key& key) const {
    return cache::get<T>(state_.context.informer(kube::resource_of<T>()), key);
  }
  // The child of that name, if this object controls it; in this object's namespace, unless another one is given.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::optional<T>> child(std::string_view name, std::string_view ns = "") const {
    return cache::decode_found<T>(cached_child(kube::resource_of<T>(), {ns.empty() ? object_.ns() : ns, name}));
  }
  // The objects of the kind that this one controls, from the cache, in no particular order.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> children() const {
    return cache::decode_all<T>(controlled_by(kube::resource_of<T>(), state_.resource.kind, object_));
  }
  // The same as they are in the cache, for those who read only a few fields of many objects.
  template <kube::TypedObject T>
  [[nodiscard]] std::vector<kube::Object> child_objects() const {
    return controlled_by(kube::resource_of<T>(), state_.resource.kind, object_);
  }
  // Those that another cached object controls, such as the Pods of a ReplicaSet.
  template <kube::TypedObject T, kube::TypedObject Owner>
  [[nodiscard]] Result<std::vector<T>> children_of(const Owner& owner) const {
    const auto cached = state_.context.informer(kube::resource_of<Owner>()).get(kube::key_of(owner));
    if (!cached || cached->uid() != owner.metadata.uid) return std::vector<T>();
    return cache::decode_all<T>(controlled_by(kube::resource_of<T>(), Owner::kIdentity.kind, *cached));
  }

  // The digest of an object that `.refers_to<R>(…)` declares, in this object's namespace; empty: it does not exist. As
  // an annotation of a pod template it starts a rollout when a Secret changes.
  template <kube::TypedObject R>
  [[nodiscard]] Result<std::optional<std::string>> digest(std::string_view name) const {
    return digest_in_cache(kube::resource_of<R>(), name);
  }
  // The objects of this controller's kind, or of another, whose index has the value.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> by_index(std::string_view index, std::string_view value) const {
    return cache::decode_all<T>(state_.context.informer(kube::resource_of<T>()).by_index(index, value), read<T>);
  }

  // Reads as the API server has it now; empty if there is no such object.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<T>>> get_live(kube::Key key) const {
    KEELSON_CO_LET(const auto found, co_await live(kube::resource_of<T>(), std::move(key)));
    if (!found) co_return std::optional<T>();
    KEELSON_CO_LET(auto object, kube::decode_object<T>(*found));
    co_return std::optional<T>(std::move(object));
  }

  // For decisions that must not be made twice, such as which child is next: afterwards the cache has this object's
  // children of the kind as the API server has them, or newer. Read them anew. It costs requests only in the first
  // passes after the lease was acquired, when the cache may be older than what the former leader wrote. An Error for a
  // kind that the controller selects by fields: what a list returned cannot be added to such a cache.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<void>> consistent_read() {
    return consistent_read_of(kube::resource_of<T>());
  }
  // The cached children of this kind may be older than what the former leader wrote.
  template <kube::TypedObject T>
  [[nodiscard]] bool may_be_stale() const {
    return is_stale(kube::resource_of<T>());
  }

  // This object is the controller of that one, which was read.
  template <kube::TypedObject T>
  [[nodiscard]] bool controls(const T& object) const {
    return std::ranges::any_of(object.metadata.owner_references, [&](const auto& reference) {
      return reference.controller.value_or(false) && reference.uid == object_.uid();
    });
  }
  // `child` is what was last applied under its name, whatever others have changed in it since.
  template <kube::TypedObject T>
  [[nodiscard]] bool was_applied(T child) const {
    const auto desired = desired_of(child);
    return desired && was_applied_text(kube::resource_of<T>(), kube::key_of(child), *desired);
  }

  // An Event of this object, for `kubectl describe`. `reason` is one CamelCase word, `note` a sentence.
  void event(std::string reason, std::string note, EventDetails details = {});
  void warning(std::string reason, std::string note, EventDetails details = {});

  // A variable of the process's environment; `otherwise` if it is not set or empty.
  [[nodiscard]] std::string environment(const char* name, std::string otherwise = "") const;

  // The object as the cache has it.
  [[nodiscard]] const kube::Object& object() const { return object_; }
  // The first problem of a child in this pass.
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

  // The status is not coalesced, although it neither is ready nor turns stalled: it reports a change that users wait
  // for.
  void report_immediately() { is_urgent_ = true; }

 protected:
  void set_readiness(kube::Readiness readiness, std::string reason, std::string message);
  void set_condition(std::string_view type, bool holds, std::string reason, std::string message);

  // The function has said whether the object is ready, and no child had a problem afterwards.
  [[nodiscard]] bool has_readiness() const { return has_readiness_; }
  void note_readiness() { has_readiness_ = true; }
  [[nodiscard]] bool is_urgent() const { return is_urgent_; }
  [[nodiscard]] bool is_superseded() const { return is_superseded_; }
  [[nodiscard]] Error superseded() const;
  // Removes what problem() of an earlier pass has set.
  void clear_problem();

  PassState& state_;
  std::vector<kube::Condition>* conditions_ = nullptr;  // those of the status, if it has some

 private:
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::string> desired_of(T& child) const {
    if (!child.metadata.uid.empty() || !child.metadata.resource_version.empty()) {
      return was_read(kube::resource_of<T>());
    }
    child.metadata.ns = child_namespace(child);
    if (child.metadata.ns.empty() && kube::resource_of<T>().namespaced) {
      return without_namespace(kube::resource_of<T>(), child.metadata.name);
    }
    return kube::encode_desired(child);
  }
  template <kube::TypedObject T>
  [[nodiscard]] std::string child_namespace(const T& child) const {
    if (!kube::resource_of<T>().namespaced || !child.metadata.ns.empty()) return child.metadata.ns;
    return std::string(object_.ns());
  }
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
  [[nodiscard]] Result<void> check_not_superseded() const;
  [[nodiscard]] bool is_stale(const kube::Resource& children) const;
  [[nodiscard]] bool was_applied_text(const kube::Resource& resource, const kube::Key& key,
                                      std::string_view desired) const;
  [[nodiscard]] std::optional<kube::Object> cached_child(const kube::Resource& resource, kube::Key key) const;
  [[nodiscard]] std::vector<kube::Object> controlled_by(const kube::Resource& resource, std::string_view owner_kind,
                                                        const kube::Object& owner) const;
  [[nodiscard]] Error child_is_deleting(const kube::Resource& resource, const kube::Key& key);
  void note_problem(const kube::Resource& resource, const kube::Key& key, bool creates, const Error& error);

  kube::Object object_;
  std::optional<Problem> problem_;
  std::set<std::pair<std::string, kube::Key>> desired_;  // plural and key of the children of this pass
  bool has_readiness_ = false;
  bool is_urgent_ = false;
  mutable bool is_superseded_ = false;  // noted where the Error is made, whatever the function does with it
};

// How long a pass waits for a child that is being deleted. The deletion is an event too, but of an object without our
// owner reference it does not lead to us.
inline constexpr std::chrono::seconds kWait(5);
// The Error of apply() while a child of that name is being deleted.
[[nodiscard]] bool is_waiting(const Error& error);
// The Error of a pass that a newer spec has superseded.
[[nodiscard]] bool is_superseded(const Error& error);

// A status that is ready, or that turns stalled, is not about to change again.
[[nodiscard]] bool is_settled(const std::vector<kube::Condition>& before, const std::vector<kube::Condition>& after);

// Conditions that a pass has changed to and fro are as they were: in the order of `before`, and with the transition
// times of those whose status is the same.
void align_conditions(std::vector<kube::Condition>& conditions, const std::vector<kube::Condition>& before);

// `after` differs from `before` in more than the messages of conditions: those of an error may change with every try,
// and are not written with every try.
template <class Status>
[[nodiscard]] bool differs_beyond_messages(Status before, Status after) {
  for (auto* status : {&before, &after}) {
    for (auto& condition : status->conditions) condition.message.clear();
  }
  return kube::encode(before) != kube::encode(after);
}

// Of a kind with `static constexpr bool kSharesStatus = true` other controllers write fields of the status too: only
// the difference to the status that was read is sent, and rejected if the object has changed since.
template <class T>
[[nodiscard]] constexpr bool shares_status() {
  if constexpr (requires { T::kSharesStatus; }) return T::kSharesStatus;
  return false;
}

template <class Status>
concept HasConditions = requires(Status& status) {
  { status.conditions } -> std::same_as<std::vector<kube::Condition>&>;
};

// A pass for an object of an existing kind, whose status belongs to another controller: a child's problem becomes an
// Error and an Event.
template <kube::TypedObject T>
class Pass : public BasicPass {
 public:
  Pass(PassState& state, kube::Object object, Logger logger, const T&)
      : BasicPass(state, std::move(object), std::move(logger)) {}

  // For the framework.
  [[nodiscard]] Reconciled end(Result<Outcome> outcome) {
    if (is_superseded()) co_return requeue_after(async::Duration::zero());
    if (!outcome && is_waiting(outcome.error())) co_return requeue_after(kWait);
    co_return outcome;
  }
};

// A pass for an object of a kind of your own.
template <CustomKind T>
class Pass<T> : public BasicPass {
 public:
  using Status = typename T::Status;

  Pass(PassState& state, kube::Object object, Logger logger, const T& read)
      : BasicPass(state, std::move(object), std::move(logger)), stored_(own_part(read.status)), status_(stored_) {
    if constexpr (HasConditions<Status>) conditions_ = &status_.conditions;
  }

  // What the object's status will be: set fields of it, conditions by the methods below.
  [[nodiscard]] Status& status() { return status_; }
  // Replaces the status, its conditions included: for statuses that a pure function computes.
  void set_status(Status status) {
    status_ = std::move(status);
    note_readiness();
  }
  // What is stored, without conditions of other controllers.
  [[nodiscard]] const Status& stored_status() const { return stored_; }

  // The conditions by which `kubectl wait`, Argo CD and Flux read an object. `reason` is one CamelCase word, `message`
  // a sentence.
  void ready(std::string reason, std::string message) {
    set(kube::Readiness::kReady, std::move(reason), std::move(message));
  }
  // Not ready yet: time, or a change of a child, will tell.
  void reconciling(std::string reason, std::string message) {
    set(kube::Readiness::kReconciling, std::move(reason), std::move(message));
  }
  // Not ready, and a person has to act.
  void stalled(std::string reason, std::string message) {
    set(kube::Readiness::kStalled, std::move(reason), std::move(message));
  }
  // Another condition, whose type kConditions of the kind lists; any other does not compile.
  void condition(OwnCondition<T> type, bool holds, std::string reason, std::string message) {
    static_assert(HasConditions<Status>, "add `std::vector<kube::Condition> conditions` to the status");
    set_condition(type, holds, std::move(reason), std::move(message));
  }

  // Writes the status now instead of at the end, for what must be stored before the pass goes on. False: the object is
  // gone.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> write_status() {
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
    // What the function does after a status is written, such as Events, belongs to the next try then.
    if (has_failed_write_ && !outcome) co_return outcome;
    finish(outcome.has_value());
    if (!outcome && is_waiting(outcome.error())) outcome = requeue_after(kWait);
    auto text = kube::encode(status_);
    auto is_immediate = true;
    if (text == kube::encode(stored_) || !is_worth_writing(outcome.has_value(), is_immediate)) {
      state_.forget_status(object().key());
      co_return outcome;
    }
    auto written = co_await state_.write_status(object(), std::move(text), is_immediate);
    co_return combined(std::move(outcome), std::move(written));
  }

  // A condition that the kind's controller sets; others are of other controllers.
  [[nodiscard]] static bool is_own(std::string_view type) { return is_own_condition<T>(type); }

 private:
  // An apply that repeats the conditions of other controllers would own them; a patch replaces the whole list.
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
  // What the end of the function means for the status.
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
      align_conditions(status_.conditions, stored_.conditions);
    }
  }
  // Of a pass that fails with another message each time, the message alone is not written, unless the API server wrote
  // it about a child; that is coalesced.
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
  // The next try after the function's error writes the status too, but there is none after a terminal error.
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
  bool has_failed_write_ = false;
};

}  // namespace keelson::controller

namespace keelson {
using controller::done;
using controller::Pass;
using controller::Reconciled;
using controller::requeue_after;
}  // namespace keelson
