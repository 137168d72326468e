// The API inside a reconcile function: reads, applies, status, conditions, Events and log of a single reconcile.
//
// Example (test/examples/controller.cpp#pass):
//   Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
//     core::v1::ConfigMap config_map{.metadata = {.name = greeting.name()}, .data = {{"text", greeting.spec.text}}};
//     KEELSON_CO_TRY(co_await pass.apply(config_map));
//     pass.ready("Greeted", "The ConfigMap has the greeting.");
//     co_return done();
//   }
//
// Which method:
// - a child that must always have the desired state: apply(); several that do not depend on each other: apply_all().
//   A child that never changes, such as a Job: create().
// - children that are no longer desired: prune() after all applies, or remove() for a single child.
// - fields of an object that this one does not control: apply_fields().
// - reads: get(), list(), child(), children() and by_index() from the cache, without a request and without waiting.
//   get_live() and consistent_read() send requests.
// - another server: http(). A password that is made once: create() with secure_random_text(). Flags: flag<T>(name).
// - the result for users: ready(), reconciling(), stalled(), condition() and status(); event() and warning().
//
// The pass ends with the function. Then the framework writes the status once if it differs from the stored one: the
// conditions with their transition times, and observedGeneration if the status has it. A status that only reports
// progress is held back for up to a second, so that several changes become one write. A status that is ready, that
// turns stalled, or that a failed pass changes in more than messages is written immediately.
//
// Errors: return the Error of a method (KEELSON_CO_TRY). The framework logs it, retries with backoff, and reports the
// problem of a child in the status. An Error that persists (BasicPass::must_report) makes the object Stalled with the
// reason ReconcileFailed, unless the function has set reconciling() or stalled(). The kinds kNotOwned and
// kChildDeleting say why a child of that name cannot be changed. Error::with_context keeps a kind, terminal_error
// replaces it.
//
// Superseded passes: if the spec changes, or the object is deleted or paused, while the pass runs, applies, creations,
// deletions and consistent reads return an Error of kind kSuperseded from then on. Such a pass writes nothing more, not
// even its status, except through `client`, and the next one begins immediately.
//
// The Pass belongs to the framework and lives until the function has returned. It must not be copied, and coroutines
// that outlive the function must not refer to it.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/own_condition.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/detail/controller/basic_pass.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::controller {

// Joins the Errors of several writes, such as those of Pass::apply_all, to one that names all of them.
//
// The first Error, with the texts of the others after its own, and the longest `retry_after`. A kTerminal Error comes
// after those that a retry may fix, and an Error of a child that is being deleted comes last, because it disappears by
// itself. The result is kTerminal only if all are. `errors` must not be empty (asserted).
[[nodiscard]] Error joined(std::vector<Error> errors);

// Succeeds if all results do; otherwise their Errors as joined().
template <class... Ts>
[[nodiscard]] Result<void> all_of(const Result<Ts>&... results) {
  std::vector<Error> errors;
  const auto add = [&errors](const auto& result) {
    if (!result) errors.push_back(result.error());
  };
  (add(results), ...);
  if (errors.empty()) return {};
  return joined(std::move(errors));
}

// The return type of a reconcile function. An Error is retried with backoff, unless it is terminal().
using Reconciled = Task<Outcome>;

// The pass has succeeded; the next one begins when the object or a watched object that maps to it changes.
[[nodiscard]] inline Result<Outcome> done() { return Outcome::done(); }
// The pass has succeeded, and the next one begins after `delay` at the latest; zero or less: immediately.
[[nodiscard]] inline Result<Outcome> requeue_after(async::Duration delay) { return Outcome::requeue_after(delay); }

// True for a status that is ready or that turns stalled. It is unlikely to change again soon, so it is not coalesced.
[[nodiscard]] bool is_settled(const std::vector<kube::Condition>& before, const std::vector<kube::Condition>& after);

// Undoes changes of order and time: sorts `conditions` as in `before`, and restores the transition time of each
// condition that has the same status as before, although the pass may have changed it back and forth.
void align_conditions(std::vector<kube::Condition>& conditions, const std::vector<kube::Condition>& before);

// For the framework. Throws the base::Misuse for a condition in a status that kConditions of its kind does not list.
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

// A status with a list `conditions`. Without it the kind has no Ready, and the methods that set conditions do not
// compile.
template <class Status>
concept HasConditions = requires(Status& status) {
  { status.conditions } -> std::same_as<std::vector<kube::Condition>&>;
};

// A pass for an object of an existing kind, whose status belongs to another controller: a child's problem is reported
// as an Error and an Event only, and `pass.ready(…)` does not compile.
template <kube::TypedObject T>
class Pass : public BasicPass {
 public:
  Pass(PassState& state, kube::Object object, Attempt& attempt, const T&)
      : BasicPass(state, std::move(object), attempt) {}

  // For the framework: converts the function's result to that of the reconcile. A child that is being deleted is not an
  // error of the pass, which waits for it.
  [[nodiscard]] Reconciled end(Result<Outcome> outcome) {
    if (is_superseded()) co_return requeue_after(async::Duration::zero());
    report_error(outcome);
    note_result(outcome);
    if (!outcome && outcome.error().kind == Error::Kind::kChildDeleting) co_return requeue_after(kWait);
    co_return with_conflict_retry(std::move(outcome));
  }
};

// A pass for an object of your own kind, with its status. At its end the status is written by server-side apply, so the
// operator owns exactly the fields that it has set; shares_status() is the exception.
//
// The conditions of the status have the times of `clock`, and get a new transition time only if their status changes.
template <CustomKind T>
class Pass<T> : public BasicPass {
 public:
  using Status = typename T::Status;

  // For the framework. `read` is `object` as a struct; its status may be empty although one is stored (read() in
  // custom_resource.hpp).
  Pass(PassState& state, kube::Object object, Attempt& attempt, const T& read)
      : BasicPass(state, std::move(object), attempt), stored_(own_part(read.status)), status_(stored_) {
    if constexpr (HasConditions<Status>) {
      conditions_ = &status_.conditions;
      for (const auto& condition : read.status.conditions) {
        if (!is_own(condition)) others_.push_back(condition.type);
      }
    }
  }

  // The status that will be written, initially the stored one. Set its fields here, and conditions with the methods
  // below. A field that the encoding omits, such as an empty std::optional, is removed from the stored status.
  [[nodiscard]] Status& status() { return status_; }
  // Replaces the status including its conditions, for a status that a pure function computes. Conditions of other
  // controllers in it, from a copy of the stored status, are left to them.
  void set_status(Status status) {
    status_ = std::move(status);
    if constexpr (HasConditions<Status> && !shares_status<T>()) {
      std::erase_if(status_.conditions, [this](const kube::Condition& condition) {
        return !is_own(condition) && std::ranges::find(others_, condition.type) != others_.end();
      });
    }
    note_readiness();
  }
  // The status that is stored, without conditions of other controllers. It changes with write_status().
  [[nodiscard]] const Status& stored_status() const { return stored_; }

  // Set the conditions Ready, Reconciling and Stalled, which `kubectl wait`, Argo CD and Flux evaluate (kstatus). The
  // last call counts, unless a child has a problem after it. `reason` is one CamelCase word, `message` a sentence.
  // Without a call, the problem of a child sets them. If there is no problem either, the stored ones remain, but those
  // of an earlier pass's problem are removed.
  void ready(std::string reason, std::string message) {
    set(kube::Readiness::kReady, std::move(reason), std::move(message));
  }
  // Not ready yet; waiting is enough. Argo CD shows the object as Progressing.
  void reconciling(std::string reason, std::string message) {
    set(kube::Readiness::kReconciling, std::move(reason), std::move(message));
  }
  // Not ready, and a user or administrator must act. Retries continue nevertheless if the function returns an Error.
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
  [[nodiscard]] Task<bool> write_status() {
    check_conditions();
    restore_paused();
    if (has_readiness()) {
      // Whether a conflict has ended is known after the last apply.
      if constexpr (HasConditions<Status>) retain_conflict(stored_.conditions);
      finish(true);
    }
    auto text = kube::encode(status_);
    if (is_superseded()) co_return superseded();
    if (text == kube::encode(stored_)) co_return true;
    auto written = co_await store_status(std::move(text), true);
    has_failed_status_ = !written;
    if (!written) co_return std::move(written).error();
    stored_ = status_;
    co_return written->has_value();
  }

  // For the framework: writes the status at the end of the function.
  [[nodiscard]] Reconciled end(Result<Outcome> outcome) {
    if (is_superseded()) co_return requeue_after(async::Duration::zero());
    auto ended = co_await write_end(std::move(outcome));
    note_result(ended);
    co_return ended;
  }

  // True for a condition type that the kind's controller sets; other types belong to other controllers.
  [[nodiscard]] static bool is_own(std::string_view type) { return is_own_condition<T>(type); }
  // The same for a condition that was read: a Conflict with another reason is not the framework's.
  [[nodiscard]] static bool is_own(const kube::Condition& condition) {
    return is_own(condition.type) && (condition.type != kConflictCondition || condition.reason == kFieldConflict);
  }

 private:
  [[nodiscard]] Reconciled write_end(Result<Outcome> outcome) {
    // The function returned because write_status() failed. The next try repeats it from there.
    if (has_failed_status_ && !outcome) co_return outcome;
    report_error(outcome);
    // The function's own Error is reported rather than the mistake, which the next success reports.
    if (outcome) check_conditions();
    if (!outcome) status_ = own_part(std::move(status_));
    if constexpr (HasConditions<Status>) {
      if (outcome) {
        finish_conflict(stored_.conditions);
      } else {
        retain_conflict(stored_.conditions);
      }
    }
    restore_paused();
    finish(outcome.has_value());
    if (!outcome && outcome.error().kind == Error::Kind::kChildDeleting) outcome = requeue_after(kWait);
    outcome = with_conflict_retry(std::move(outcome));
    auto text = kube::encode(status_);
    auto is_immediate = true;
    if (text == kube::encode(stored_) || !is_worth_writing(outcome.has_value(), is_immediate)) {
      note_unchanged_status();
      co_return outcome;
    }
    auto written = co_await store_status(std::move(text), is_immediate);
    co_return combined(std::move(outcome), std::move(written));
  }
  // The conditions that this controller owns. An apply that repeated those of other controllers would take their
  // ownership. A shared status is patched, which replaces the whole list, so it has all of them.
  static Status own_part(Status status) {
    if constexpr (HasConditions<Status> && !shares_status<T>()) {
      std::erase_if(status.conditions, [](const kube::Condition& condition) { return !is_own(condition); });
    }
    return status;
  }
  // Sets Ready, Reconciling and Stalled together, so that they never contradict each other.
  void set(kube::Readiness readiness, std::string reason, std::string message) {
    static_assert(HasConditions<Status>, "add `std::vector<kube::Condition> conditions` to the status");
    set_readiness(readiness, std::move(reason), std::move(message));
  }
  // Throws base::Misuse for a condition that is not own: the next pass would not read it, and would write it again.
  void check_conditions() const {
    if constexpr (HasConditions<Status> && !shares_status<T>()) {
      for (const auto& condition : status_.conditions) {
        if (!is_own(condition)) misuse_condition(object(), condition.type);
      }
    }
  }
  // A shared status is patched with the whole list of conditions. If the function has replaced the list, the patch
  // would remove the framework's Paused, which would then be added again: two writes in each pass.
  void restore_paused() {
    if constexpr (HasConditions<Status> && shares_status<T>()) {
      const auto is_paused = [](const kube::Condition& condition) { return condition.type == kPausedCondition; };
      const auto before = std::ranges::find_if(stored_.conditions, is_paused);
      if (before == stored_.conditions.end() || std::ranges::any_of(status_.conditions, is_paused)) return;
      status_.conditions.push_back(*before);
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

  Status stored_;                    // as written last: an equal status is not written again
  Status status_;                    // as the function has changed it
  std::vector<std::string> others_;  // types of conditions that other controllers set
  bool has_failed_status_ = false;   // write_status() has failed, which end() must not hide by another write
};

}  // namespace keelson::controller

namespace keelson {
using controller::done;
using controller::Pass;
using controller::Reconciled;
using controller::requeue_after;
}  // namespace keelson
