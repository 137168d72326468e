// A controller from a reconcile function. Start reading room `controller`, the API for authors of operators, here.
//
// Example (test/examples/controller.cpp#greeter):
//   struct GreetingSpec {
//     std::string text;
//   };
//   void describe(kube::Description& d, GreetingSpec& spec) { d.field("text", spec.text, "The text.").required(); }
//
//   struct GreetingStatus {
//     std::vector<kube::Condition> conditions;
//   };
//   void describe(kube::Description& d, GreetingStatus& status) {
//     d.field("conditions", status.conditions, "The conditions of the Greeting.").list_map({"type"});
//   }
//
//   struct Greeting : CustomResource<GreetingSpec, GreetingStatus> {
//     static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Greeting"};
//   };
//
//   Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
//     core::v1::ConfigMap config_map{.metadata = {.name = greeting.name()}, .data = {{"text", greeting.spec.text}}};
//     KEELSON_CO_TRY(co_await pass.apply(config_map));
//     pass.ready("Greeted", "The ConfigMap has the greeting.");
//     co_return done();
//   }
//
//   controller::Definition greeter() { return controller_for<Greeting>(reconcile).owns<core::v1::ConfigMap>(); }
//
// `keelson::run("greeter", argc, argv, {greeter()})` (program/run.hpp) makes a program of it.
//
// The parts: custom_resource.hpp declares your own kind, definition.hpp the controller (its watches, flags, webhooks
// and RBAC rules), and pass.hpp is the API inside the reconcile function.
//
// Level-triggered: the function is called with the current object, not with an event. It computes the desired state
// again and applies it; it must give the same result if it is repeated at any point, because the process can stop at
// each `co_await`.
//
// Threads and ownership: all code runs on one event loop, so state needs no locks, but a function that blocks stops the
// whole process. Between two `co_await`s nothing else runs; after one, other objects in the cache may have changed.
// `object` and `pass` live until the function has returned; do not store references to them.
//
// Cancellation: if the replica loses the lease, a reconcile timeout passes or the grace period of a stop is over, the
// coroutine is destroyed at its `co_await`. Use RAII for what must be released, and do not catch the exception without
// throwing it again.
//
// A reconciler with its own state is a class. It is constructed with the Context once, when the program starts, on
// standbys too; the caches may be empty then.
//
// Example (test/examples/controller.cpp#stateful):
//   class GreetingReconciler {
//    public:
//     explicit GreetingReconciler(controller::Context& context) : log_(context.log) {}
//
//     Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
//       if (++passes_[greeting.key()] == 1) log_.info("Saw a Greeting for the first time");
//       pass.ready("Seen", "The Greeting was seen.");
//       co_return done();
//     }
//     // Optional: the object is gone or being deleted. Drop the state of this key.
//     void forget(const kube::Key& greeting) { passes_.erase(greeting); }
//
//    private:
//     Logger log_;
//     std::map<kube::Key, int> passes_;
//   };
//
//   controller::Definition stateful_greeter() { return controller_for<Greeting, GreetingReconciler>(); }
//
// A class cleans up with finalize(), which has the same flags, clients and state as reconcile(). If the class needs
// more than the Context, pass a factory: a function or lambda, also with captures, that returns the reconciler. It is
// called once for each start of the program.
//
// Example (test/examples/controller.cpp#finalize):
//   class ArchivedReconciler {
//    public:
//     // The name of the finalizer: qualified, and stored in every object, so do not change it.
//     static constexpr std::string_view kFinalizer = "demo.example.com/archive";
//
//     ArchivedReconciler(controller::Context& context, std::string prefix)
//         : archive_(context.flag<std::string>("archive-url") + prefix) {}
//
//     Reconciled reconcile(const Greeting&, Pass<Greeting>& pass) {
//       pass.ready("Archived", "The archive has the Greeting.");
//       co_return done();
//     }
//     // Called for an object that is being deleted, until it returns done(); the object then goes.
//     Reconciled finalize(const Greeting& greeting, Pass<Greeting>& pass) {
//       KEELSON_CO_LET(const auto response, co_await pass.http().remove(archive_ + greeting.name()));
//       // It may be called again after it has succeeded, so a missing entry is a success.
//       if (response.status == 404) co_return done();
//       KEELSON_CO_TRY(net::check_status(response, "delete the entry of the archive"));
//       co_return done();
//     }
//
//    private:
//     std::string archive_;
//   };
//
//   controller::Definition archived(std::string prefix) {
//     return controller_for<Greeting>(
//                [prefix](controller::Context& context) { return ArchivedReconciler(context, prefix); })
//         .flag<std::string>("archive-url", "https://archive.example.com", "The archive of Greetings.");
//   }
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "keelson/base/task.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/detail/controller/finalizer.hpp"
#include "keelson/detail/controller/pass_function.hpp"

namespace keelson::controller {

// The cleanup of a controller whose reconciler is a function; a class has a member function finalize() instead.
//
// The cleanup before an object of the kind is removed: `cleanup` deletes what garbage collection does not, outside the
// cluster or in other namespaces. The controller adds the finalizer to each object before it calls the reconcile
// function for the first time, and removes it when `cleanup` ends with done(). An Error is retried with backoff, and
// requeue_after() calls `cleanup` again. A pass whose `cleanup` ends with done() writes no status.
template <kube::TypedObject T>
struct Finalizer {
  std::string name;         // qualified, "example.com/directory": stored in every object, so do not rename it
  PassFunction<T> cleanup;  // may be called again after it has succeeded, so a missing directory is a success
};

namespace detail {

template <kube::TypedObject T>
class Function {
 public:
  explicit Function(PassFunction<T> function) : function_(function) {}
  [[nodiscard]] Reconciled reconcile(const T& object, Pass<T>& pass) { return function_(object, pass); }

 private:
  PassFunction<T> function_;
};

// If a reconciler class has `static constexpr bool kReconcilesDeleting = true`, its reconcile() is also called for
// objects that are being deleted, for example to report in their status what is still in progress.
template <class R>
[[nodiscard]] constexpr bool reconciles_deleting() {
  if constexpr (requires { R::kReconcilesDeleting; }) return R::kReconcilesDeleting;
  return false;
}

// `finalize` of a class that cleans up, with its `kFinalizer`.
template <class T, class R>
concept Finalizes = requires(R& reconciler, const T& object, Pass<T>& pass) {
  { reconciler.finalize(object, pass) } -> std::same_as<Reconciled>;
  { R::kFinalizer } -> std::convertible_to<std::string_view>;
};

// Only to reject a class that would not work with a helpful compile error.
template <class T, class R>
constexpr void check_reconciler() {
  constexpr bool kReconciles = requires(R& reconciler, const T& object, Pass<T>& pass) {
    { reconciler.reconcile(object, pass) } -> std::same_as<Reconciled>;
  };
  static_assert(
      kReconciles,
      "a reconciler class has the public member function `Reconciled reconcile(const T& object, Pass<T>& "
      "pass)`, where T is the kind of the controller. A factory returns the reconciler itself, not a pointer");
  constexpr bool kNamesFinalize = requires { &R::finalize; };
  constexpr bool kHasName = requires { R::kFinalizer; };
  static_assert(kHasName ? Finalizes<T, R> : !kNamesFinalize,
                "a reconciler class that cleans up has both the public member function `Reconciled finalize(const T& "
                "object, Pass<T>& pass)` and `static constexpr std::string_view kFinalizer = \"example.com/name\"`");
}

// The name of the finalizer that the class or `finalizer` declares; empty: none. Throws base::Misuse for both.
template <class T, class R>
[[nodiscard]] std::string finalizer_name(const std::optional<Finalizer<T>>& finalizer) {
  if constexpr (Finalizes<T, R>) {
    if (finalizer) misuse_finalizer(R::kFinalizer, finalizer->name);
    return std::string(R::kFinalizer);
  }
  return finalizer ? finalizer->name : std::string();
}

// True if the condition Paused is True, because of a pause of the object itself or of its children.
template <class T>
[[nodiscard]] bool is_reported_paused(const T& object, bool is_by_children) {
  if constexpr (CustomKind<T>) {
    if constexpr (HasConditions<typename T::Status>) {
      const auto* paused = kube::find_condition(object.status.conditions, kPausedCondition);
      if (paused == nullptr || paused->status != "True") return false;
      return is_by_children == (paused->reason == kChildPausedReason);
    }
  }
  return false;
}

// The steps of each reconcile around the author's code: read the object from the cache, end here if it is paused, add
// the finalizer, call the function, write the status.
template <kube::TypedObject T, class R>
class PassReconciler final : public Reconciler {
 public:
  template <class MakeReconciler>
  PassReconciler(Context& context, const MakeReconciler& make, std::optional<Finalizer<T>> finalizer)
      : state_(context, kube::resource_of<T>(), status_description(), shares_status<T>()),
        reconciler_(make(context)),
        finalizer_name_(finalizer_name<T, R>(finalizer)),
        finalizer_(std::move(finalizer)) {}

  [[nodiscard]] Task<Outcome> reconcile(Attempt& attempt) override {
    const auto& key = attempt.key;
    auto found = state_.informer.get(key);
    const bool is_finalized = found && !finalizer_name_.empty() && has_finalizer(*found, finalizer_name_);
    if (!found) attempt.log.info(state_.resource.kind + " resource not found. Ignoring since object must be deleted.");
    if (!found || (found->deleting() && !is_finalized && !reconciles_deleting<R>())) {
      state_.forget(key);
      if constexpr (requires { reconciler_.forget(key); }) reconciler_.forget(key);
      co_return Outcome::done();
    }
    if (auto pause = state_.pause_of(*found)) {
      co_return co_await state_.stay_paused(attempt, std::move(*found), std::move(*pause));
    }
    std::optional<Error> failure;
    if (!finalizer_name_.empty() && !is_finalized && !found->deleting()) {
      auto added = co_await state_.add_finalizer(attempt, *found, finalizer_name_);
      // In a dry run the object does not change, so no change would start the next pass.
      if (!added) failure = std::move(added).error();
      if (!failure && !state_.context.is_dry_run()) co_return added;
    }
    auto object = read<T>(*found);
    // A retry does not help: the object is unreadable until it changes, and the change starts the next reconcile.
    if (!object && !failure) failure = terminal_error(object.error());
    if (failure) co_return co_await end_with(attempt, std::move(*found), std::move(*failure));
    state_.note_resumed(attempt);
    if (is_reported_paused(*object, false)) {
      KEELSON_CO_LET(found, co_await state_.end_pause(attempt, std::move(*found)));
      if (!found) co_return Outcome::done();
      object = read<T>(*found);
      if (!object) co_return co_await end_with(attempt, *found, terminal_error(std::move(object).error()));
    }
    Pass<T> pass(state_, *found, attempt, *object);
    const bool is_last = is_finalized && found->deleting();
    auto outcome = co_await (is_last ? clean_up(*object, pass) : reconciler_.reconcile(*object, pass));
    const bool is_clean = is_last && outcome && !outcome->after();
    if (is_clean) outcome = co_await state_.remove_finalizer(attempt, *found, finalizer_name_);
    if (is_clean && outcome) co_return outcome;
    outcome = co_await pass.end(std::move(outcome));
    if (!pass.has_pause_to_report(outcome, is_reported_paused(*object, true))) co_return outcome;
    co_return co_await pass.report_paused(std::move(outcome));
  }

  [[nodiscard]] boost::asio::awaitable<bool> report_failure(Attempt& attempt, Error failure) override {
    auto found = state_.informer.get(attempt.key);
    if (!found) co_return true;
    [[maybe_unused]] const auto ended = co_await end_with(attempt, std::move(*found), std::move(failure));
    co_return true;
  }

 private:
  // Called only with a finalizer_name_.
  [[nodiscard]] Reconciled clean_up(const T& object, Pass<T>& pass) {
    if constexpr (Finalizes<T, R>) {
      return reconciler_.finalize(object, pass);
    } else {
      return finalizer_->cleanup(object, pass);
    }
  }
  // A pass without the author's function.
  [[nodiscard]] Reconciled end_with(Attempt& attempt, kube::Object object, Error failure) {
    const auto status = read_status<T>(object);
    Pass<T> pass(state_, std::move(object), attempt, status);
    co_return co_await pass.end(std::move(failure));
  }
  static const kube::Description* status_description() {
    if constexpr (CustomKind<T>) return &kube::description_of<typename T::Status>();
    return nullptr;
  }

  PassState state_;
  R reconciler_;
  std::string finalizer_name_;  // empty: none
  std::optional<Finalizer<T>> finalizer_;
};

template <kube::TypedObject T>
[[nodiscard]] Definition empty_definition() {
  if constexpr (CustomKind<T>) {
    Definition definition(controller::kind_of<T>());
    if constexpr (HasConditions<typename T::Status>) {
      std::span<const std::string_view> own;
      if constexpr (requires { T::kConditions; }) own = T::kConditions;
      definition.sets_conditions(all_conditions(own));
    }
    return definition;
  } else {
    Definition definition(kube::resource_of<T>());
    if constexpr (kube::PartialObject<T>) definition.selects({.content = kube::projection_of<T>()});
    return definition;
  }
}

template <kube::TypedObject T, class MakeReconciler>
[[nodiscard]] Definition definition_of(MakeReconciler make, std::optional<Finalizer<T>> finalizer) {
  using R = std::invoke_result_t<const MakeReconciler&, Context&>;
  check_reconciler<T, R>();
  auto definition = empty_definition<T>();
  const auto& resource = definition.resource();
  const auto name = finalizer_name<T, R>(finalizer);
  if (!name.empty()) definition.rbac({resource.group, resource.plural, {"patch"}}).adds_finalizer(name);
  definition.reconciled_by([make, finalizer](Context& context) -> std::unique_ptr<Reconciler> {
    return std::make_unique<PassReconciler<T, R>>(context, make, finalizer);
  });
  return definition;
}

// A function object that returns a reconciler, in contrast to a reconcile function.
template <class Make>
concept ReconcilerFactory = std::invocable<const Make&, Context&>;

}  // namespace detail

// `function` is called once for each object at the start, and then when the object, or a watched object that maps to
// it, may have changed; never twice at the same time for one object. For an object that is being deleted, the
// finalizer's `cleanup` is called instead if there is a finalizer, and nothing otherwise; garbage collection deletes
// its children. Nothing is called while the object has the annotation `keelson.dev/paused` (pause.hpp), also not the
// `cleanup` of an object that is being deleted: its finalizer remains until the annotation is removed.
//
// T is a CustomResource, or a struct of an existing kind (keelson/api). For an existing kind no CRD is generated and
// the pass writes no status. A function with captures or another signature does not compile (pass_function.hpp).
template <kube::TypedObject T>
[[nodiscard]] Definition controller_for(PassFunction<T> function,
                                        std::optional<Finalizer<T>> finalizer = std::nullopt) {
  return detail::definition_of<T>([function](Context&) { return detail::Function<T>(function); }, std::move(finalizer));
}

// The same with a reconciler class, as in the comment at the top. The Context outlives the reconciler. The class
// declares its own finalizer with kFinalizer and finalize(); a Finalizer that is passed here has no access to its
// state.
template <kube::TypedObject T, class R>
[[nodiscard]] Definition controller_for(std::optional<Finalizer<T>> finalizer = std::nullopt) {
  constexpr bool kHasContext = std::constructible_from<R, Context&>;
  static_assert(kHasContext,
                "a reconciler class is constructed with the Context: give it `explicit Reconciler("
                "controller::Context& context)`, even if it does not use the Context");
  if constexpr (!kHasContext) {
    return detail::empty_definition<T>();
  } else {
    return detail::definition_of<T>([](Context& context) { return R(context); }, std::move(finalizer));
  }
}

// The same with a factory, which returns the reconciler by value: for a class that needs more than the Context, such as
// a client that tests replace. It is called once for each start of the program, and must be copyable: capture a
// std::shared_ptr instead of an object that cannot be copied. What it captures must outlive the program.
template <kube::TypedObject T, detail::ReconcilerFactory Make>
[[nodiscard]] Definition controller_for(Make make) {
  static_assert(std::copy_constructible<Make>,
                "the factory of a reconciler is copied: capture a std::shared_ptr instead of an object that cannot be "
                "copied, such as a std::unique_ptr");
  return detail::definition_of<T>(std::move(make), std::nullopt);
}

}  // namespace keelson::controller

namespace keelson {
using controller::controller_for;
using controller::Finalizer;
}  // namespace keelson
