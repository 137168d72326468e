// A controller from a function: what most operators are.
//
//   int main(int argc, char** argv) {
//     return run("greeter", argc, argv, {controller_for<Greeting>(reconcile).owns<core::v1::ConfigMap>()});
//   }
//
// A reconciler with state of its own is a class that is constructed with the Context, once for each term of leadership:
//
//   class GreetingReconciler {
//    public:
//     explicit GreetingReconciler(controller::Context& context);
//     Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass);
//     void forget(const kube::Key& greeting);  // optional: the object is gone
//   };
//   … controller_for<Greeting, GreetingReconciler>()
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/finalizer.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/controller/pass_function.hpp"

namespace keelson::controller {

// What a controller does before an object of the kind is gone: `cleanup` removes what garbage collection does not,
// outside the cluster or in other namespaces. The object keeps the finalizer `name` ("example.com/directory") until the
// function ends with done(). An Error is retried, and requeue_after() calls it again.
template <kube::TypedObject T>
struct Finalizer {
  std::string name;
  PassFunction<T> cleanup;
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

// Of a class with `static constexpr bool kReconcilesDeleting = true` reconcile() is called for objects that are being
// deleted too, for example to report in their status what still goes on.
template <class R>
[[nodiscard]] constexpr bool reconciles_deleting() {
  if constexpr (requires { R::kReconcilesDeleting; }) return R::kReconcilesDeleting;
  return false;
}

// What every kind's controller does around its reconciler.
template <kube::TypedObject T, class R>
class PassReconciler final : public Reconciler {
 public:
  template <class MakeReconciler>
  PassReconciler(Context& context, const MakeReconciler& make, std::optional<Finalizer<T>> finalizer)
      : state_(context, kube::resource_of<T>(), status_description(), shares_status<T>()),
        reconciler_(make(context)),
        finalizer_(std::move(finalizer)) {}

  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> reconcile(kube::Key key, Logger log) override {
    auto found = state_.informer.get(key);
    const bool is_finalized = found && finalizer_ && has_finalizer(*found, finalizer_->name);
    if (!found) log.info(state_.resource.kind + " resource not found. Ignoring since object must be deleted.");
    if (!found || (found->deleting() && !is_finalized && !reconciles_deleting<R>())) {
      state_.forget_status(key);
      if constexpr (requires { reconciler_.forget(key); }) reconciler_.forget(key);
      co_return Outcome::done();
    }
    if (finalizer_ && !is_finalized && !found->deleting()) {
      co_return co_await state_.add_finalizer(*found, finalizer_->name);
    }
    auto object = read<T>(*found);
    // It stays unreadable until it changes, and then this is called again.
    if (!object) co_return terminal(std::move(object).error());
    Pass<T> pass(state_, *found, std::move(log), *object);
    const bool is_last = is_finalized && found->deleting();
    auto outcome = co_await (is_last ? finalizer_->cleanup(*object, pass) : reconciler_.reconcile(*object, pass));
    const bool is_clean = is_last && outcome && !outcome->after();
    if (is_clean) co_return co_await state_.remove_finalizer(std::move(*found), finalizer_->name);
    co_return co_await pass.end(std::move(outcome));
  }

 private:
  static const kube::Description* status_description() {
    if constexpr (CustomKind<T>) return &kube::description_of<typename T::Status>();
    return nullptr;
  }

  PassState state_;
  R reconciler_;
  std::optional<Finalizer<T>> finalizer_;
};

template <kube::TypedObject T>
[[nodiscard]] Definition empty_definition() {
  if constexpr (CustomKind<T>) {
    return Definition(controller::kind_of<T>());
  } else {
    Definition definition(kube::resource_of<T>());
    if constexpr (kube::PartialObject<T>) definition.selects({.projection = kube::projection_of<T>()});
    return definition;
  }
}

template <kube::TypedObject T, class MakeReconciler>
[[nodiscard]] Definition definition_of(MakeReconciler make, std::optional<Finalizer<T>> finalizer) {
  auto definition = empty_definition<T>();
  const auto& resource = definition.resource();
  if (finalizer) definition.needs({resource.group, resource.plural, {"patch"}});
  definition.reconciled_by([make, finalizer](Context& context) -> std::unique_ptr<Reconciler> {
    return std::make_unique<PassReconciler<T, decltype(make(context))>>(context, make, finalizer);
  });
  return definition;
}

}  // namespace detail

// `function` is called whenever an object of the kind, or one that it owns, may have changed, and never twice at once
// for one object. For an object that is being deleted the finalizer's function is called instead, if there is one; its
// children are deleted by garbage collection.
template <kube::TypedObject T>
[[nodiscard]] Definition controller_for(PassFunction<T> function,
                                        std::optional<Finalizer<T>> finalizer = std::nullopt) {
  return detail::definition_of<T>([function](Context&) { return detail::Function<T>(function); }, std::move(finalizer));
}

// The same with a class; see above.
template <kube::TypedObject T, std::constructible_from<Context&> R>
[[nodiscard]] Definition controller_for(std::optional<Finalizer<T>> finalizer = std::nullopt) {
  return detail::definition_of<T>([](Context& context) { return R(context); }, std::move(finalizer));
}

}  // namespace keelson::controller

namespace keelson {
using controller::controller_for;
using controller::Finalizer;
}  // namespace keelson
