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
// status that is ready, stalled or of a failed pass is written immediately.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/own_condition.hpp"
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

// The part that is the same for all kinds.
class BasicPass {
 public:
  // All references must outlive the pass; `conditions` are those of the status, null if it has none.
  BasicPass(Context& context, kube::Resource resource, kube::Object object, Logger logger,
            std::vector<kube::Condition>* conditions);
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
  // kWait.
  //
  // Build `child` anew with the fields to set: an object that was read is kInvalid, because the apply would own all of
  // its fields.
  template <kube::TypedObject T>
  [[nodiscard]] boost::asio::awaitable<Result<T>> apply(T child) {
    const auto resource = kube::resource_of<T>();
    if (!child.metadata.uid.empty() || !child.metadata.resource_version.empty()) co_return was_read(resource);
    if (resource.namespaced && child.metadata.ns.empty()) child.metadata.ns = object_.ns();
    auto applied = co_await apply_text(resource, kube::key_of(child), kube::encode_desired(child));
    if (!applied) co_return std::move(applied).error();
    co_return kube::decode_object<T>(*applied);
  }

  // From the cache; empty if there is no such object. Needs `.owns<T>()` or `.watches<T>(…)`. It may be older than what
  // another process wrote; it is never older than a write of this process.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::optional<T>> get(const kube::Key& key) const {
    const auto found = context_.informer(kube::resource_of<T>()).get(key);
    if (!found) return std::optional<T>();
    KEELSON_LET(auto object, kube::decode_object<T>(*found));
    return std::optional<T>(std::move(object));
  }

  // The objects of the kind that this one controls, from the cache, in no particular order.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> children() const {
    std::vector<T> all;
    for (const auto& found : controlled(kube::resource_of<T>())) {
      KEELSON_LET(auto object, kube::decode_object<T>(found));
      all.push_back(std::move(object));
    }
    return all;
  }

  // An Event of this object, for `kubectl describe`. `reason` is one CamelCase word, `note` a sentence.
  void event(std::string reason, std::string note);
  void warning(std::string reason, std::string note);

  // The object as the cache has it.
  [[nodiscard]] const kube::Object& object() const { return object_; }

 protected:
  void set_readiness(kube::Readiness readiness, std::string reason, std::string message);
  void set_condition(std::string_view type, bool holds, std::string reason, std::string message);

  // What keeps a child from its desired state: of kStalled, time alone does not fix it.
  struct Problem {
    kube::Readiness readiness;
    std::string reason;
    std::string message;
  };
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }
  // The function has said whether the object is ready.
  [[nodiscard]] bool has_readiness() const { return has_readiness_; }
  // Removes what report_problem() of an earlier pass has set.
  void clear_problem();

 private:
  [[nodiscard]] static Error was_read(const kube::Resource& resource);
  [[nodiscard]] boost::asio::awaitable<Result<kube::Object>> apply_text(kube::Resource resource, kube::Key key,
                                                                        std::string desired);
  [[nodiscard]] std::vector<kube::Object> controlled(const kube::Resource& resource) const;
  void note_problem(const kube::Resource& resource, const kube::Key& key, bool creates, const Error& error);

  Context& context_;
  kube::Resource resource_;
  kube::Object object_;
  std::vector<kube::Condition>* conditions_;
  std::optional<Problem> problem_;
  bool has_readiness_ = false;
};

// How long a pass waits for a child that is being deleted. The deletion is an event too, but of an object without our
// owner reference it does not lead to us.
inline constexpr std::chrono::seconds kWait(5);
// The Error of apply() while a child of that name is being deleted.
[[nodiscard]] bool is_waiting(const Error& error);

template <class Status>
concept HasConditions = requires(Status& status) {
  { status.conditions } -> std::same_as<std::vector<kube::Condition>&>;
};

template <CustomKind T>
class Pass : public BasicPass {
 public:
  using Status = typename T::Status;

  Pass(Context& context, kube::Object object, Logger logger, Status& status)
      : BasicPass(context, kube::resource_of<T>(), std::move(object), std::move(logger), conditions_of(status)),
        status_(status) {}

  // What the object's status will be: set fields of it, conditions by the methods below.
  [[nodiscard]] Status& status() { return status_; }

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

  // For the framework: sets what the end of the function means for the status.
  void end(bool succeeded) {
    if constexpr (requires { status_.observed_generation; }) {
      if (succeeded || problem()) status_.observed_generation = object().generation();
    }
    if constexpr (HasConditions<Status>) {
      if (problem()) {
        set(problem()->readiness, problem()->reason, problem()->message);
      } else if (succeeded && !has_readiness()) {
        clear_problem();
      }
    }
  }
  // A condition that the kind's controller sets; others are of other controllers.
  [[nodiscard]] static bool is_own(std::string_view type) { return is_own_condition<T>(type); }
  // The problem's message is the same for each try, unlike what an API server says.
  [[nodiscard]] bool has_stable_message() const { return problem() && problem()->reason == "NotOwned"; }

 private:
  static std::vector<kube::Condition>* conditions_of(Status& status) {
    if constexpr (HasConditions<Status>) return &status.conditions;
    return nullptr;
  }
  void set(kube::Readiness readiness, std::string reason, std::string message) {
    static_assert(HasConditions<Status>, "add `std::vector<kube::Condition> conditions` to the status");
    set_readiness(readiness, std::move(reason), std::move(message));
  }

  Status& status_;
};

}  // namespace keelson::controller

namespace keelson {
using controller::done;
using controller::Pass;
using controller::Reconciled;
using controller::requeue_after;
}  // namespace keelson
