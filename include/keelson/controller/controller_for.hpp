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
// `keelson::run("greeter", argc, argv, {greeter()})` (program/operator.hpp) makes a program of it.
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
#include "keelson/kube/object.hpp"
#include "keelson/kube/typed_object.hpp"

namespace keelson::controller {

// The function of a controller or a finalizer, which is called once for each pass: one function pointer. Authors pass a
// function where a PassFunction is expected.
//
// A function that would not work does not compile, and the compile error names the fix: one with captures, because the
// coroutine reads them from a lambda object that is gone, and one with another signature.
//
// The function is a coroutine `Reconciled f(const T& object, Pass<T>& pass)`. Calls for different objects run
// concurrently, calls for one object never. Both parameters live until the coroutine has returned. `object` is a copy
// of the cached object that does not change during the call.
//
// State: a function has none of its own, but the Pass has the flags and clients. Static variables are shared by the
// controllers of a process, and by simulated replicas in a test, so use a class instead.
template <kube::TypedObject T>
class PassFunction {
 public:
  using Pointer = Reconciled (*)(const T&, Pass<T>&);

  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): functions convert implicitly
  // Selects the right one of several functions of the same name, for operators with several kinds.
  PassFunction(Pointer function) : function_(function) {}
  // Accepts anything else that can be called, only to reject what would not work with a helpful compile error.
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, PassFunction>)
  PassFunction(Function&& function) {
    constexpr bool kFits = std::is_convertible_v<Function, Pointer>;
    constexpr bool kHasSignature = std::is_invocable_r_v<Reconciled, Function&, const T&, Pass<T>&>;
    constexpr bool kHasNoCaptures = kFits || !kHasSignature;
    constexpr bool kIsPassFunction = kFits || kHasSignature;
    static_assert(kHasNoCaptures,
                  "the function of a controller cannot have captures: it is a coroutine, and would read them from a "
                  "lambda object that is gone. Use a function, or a lambda without captures: the object and the Pass "
                  "have what a pass needs. For state of your own, use a class with reconcile() and finalize(): "
                  "controller_for<T, Reconciler>(), or controller_for<T>(factory) with a factory that captures");
    static_assert(kIsPassFunction,
                  "the function of a controller is `Reconciled reconcile(const T& object, Pass<T>& pass)`, where T is "
                  "its kind: a coroutine that ends with `co_return done();`");
    if constexpr (kFits) function_ = std::forward<Function>(function);
  }
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)

  [[nodiscard]] Reconciled operator()(const T& object, Pass<T>& pass) const { return function_(object, pass); }

 private:
  Pointer function_ = nullptr;
};

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

// Throws the base::Misuse for a reconciler class that declares a finalizer and gets another one.
[[noreturn]] void misuse_finalizer(std::string_view of_class, std::string_view passed);

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

// The steps of each reconcile around the author's code, as far as they do not depend on the kind: read the object from
// the cache, end here if it is paused, add the finalizer.
class PassSteps : public Reconciler {
 public:
  [[nodiscard]] Task<Outcome> reconcile(Attempt& attempt) final;
  [[nodiscard]] boost::asio::awaitable<bool> report_failure(Attempt& attempt, Error failure) final;

 protected:
  struct Kind {
    kube::Resource resource;
    const kube::Description* status;  // null: the controller does not write it
    bool shares_status;
    bool reconciles_deleting;
    std::string finalizer;  // its name; empty: none
  };
  PassSteps(Context& context, Kind kind);
  ~PassSteps() override;

  // A pass with the author's function. `is_finalized`: the object has the finalizer.
  [[nodiscard]] virtual Reconciled run(Attempt& attempt, kube::Object found, bool is_finalized) = 0;
  // A pass without the author's function.
  [[nodiscard]] virtual Reconciled end_with(Attempt& attempt, kube::Object object, Error failure) = 0;
  // The object is gone or being deleted.
  virtual void forget(const kube::Key& key) = 0;

  [[nodiscard]] PassState& state() { return *state_; }
  // These do what PassState does.
  void note_resumed(const Attempt& attempt);
  [[nodiscard]] Task<std::optional<kube::Object>> end_pause(Attempt& attempt, kube::Object object);
  [[nodiscard]] Task<Outcome> remove_finalizer(Attempt& attempt, kube::Object object);

 private:
  const Kind kind_;
  std::unique_ptr<PassState> state_;
};

// The steps that depend on the kind: decode the object, call the function, write the status.
template <kube::TypedObject T, class R>
class PassReconciler final : public PassSteps {
 public:
  template <class MakeReconciler>
  PassReconciler(Context& context, const MakeReconciler& make, std::optional<Finalizer<T>> finalizer)
      : PassSteps(context, {kube::resource_of<T>(), status_description(), shares_status<T>(), reconciles_deleting<R>(),
                            finalizer_name<T, R>(finalizer)}),
        reconciler_(make(context)),
        finalizer_(std::move(finalizer)) {}

 private:
  [[nodiscard]] Reconciled run(Attempt& attempt, kube::Object found, bool is_finalized) override {
    auto object = read<T>(found);
    // A retry does not help: the object is unreadable until it changes, and the change starts the next reconcile.
    if (!object) co_return co_await end_with(attempt, std::move(found), terminal_error(std::move(object).error()));
    note_resumed(attempt);
    if (is_reported_paused(*object, false)) {
      KEELSON_CO_LET(auto resumed, co_await end_pause(attempt, std::move(found)));
      if (!resumed) co_return Outcome::done();
      found = std::move(*resumed);
      object = read<T>(found);
      if (!object) co_return co_await end_with(attempt, std::move(found), terminal_error(std::move(object).error()));
    }
    Pass<T> pass(state(), found, attempt, *object);
    const bool is_last = is_finalized && found.deleting();
    auto outcome = co_await (is_last ? clean_up(*object, pass) : reconciler_.reconcile(*object, pass));
    const bool is_clean = is_last && outcome && !outcome->after();
    if (is_clean) outcome = co_await remove_finalizer(attempt, found);
    if (is_clean && outcome) co_return outcome;
    outcome = co_await pass.end(std::move(outcome));
    if (!pass.has_pause_to_report(outcome, is_reported_paused(*object, true))) co_return outcome;
    co_return co_await pass.report_paused(std::move(outcome));
  }
  // Called only with a finalizer.
  [[nodiscard]] Reconciled clean_up(const T& object, Pass<T>& pass) {
    if constexpr (Finalizes<T, R>) {
      return reconciler_.finalize(object, pass);
    } else {
      return finalizer_->cleanup(object, pass);
    }
  }
  [[nodiscard]] Reconciled end_with(Attempt& attempt, kube::Object object, Error failure) override {
    const auto status = read_status<T>(object);
    Pass<T> pass(state(), std::move(object), attempt, status);
    co_return co_await pass.end(std::move(failure));
  }
  void forget(const kube::Key& key) override {
    if constexpr (requires { reconciler_.forget(key); }) reconciler_.forget(key);
  }
  static const kube::Description* status_description() {
    if constexpr (CustomKind<T>) return &kube::description_of<typename T::Status>();
    return nullptr;
  }

  R reconciler_;
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
// the pass writes no status. A function with captures or another signature does not compile (PassFunction).
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
