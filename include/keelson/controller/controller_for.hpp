// A controller from a function: what most operators are.
//
//   int main(int argc, char** argv) {
//     return run("greeter", argc, argv, {controller_for<Greeting>(reconcile).owns<core::v1::ConfigMap>()});
//   }
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/finalizer.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/controller/status.hpp"

namespace keelson::controller {

// What a controller does before an object of the kind is gone: `cleanup` removes what garbage collection does not,
// outside the cluster or in other namespaces. The object keeps the finalizer `name` ("example.com/directory") until the
// function ends with done(). An Error is retried, and requeue_after() calls it again.
template <CustomKind T>
struct Finalizer {
  std::string name;
  Reconciled (*cleanup)(const T&, Pass<T>&);
};

namespace detail {

// What every kind's controller does around its function; the kind itself is only in the template below.
class PassEnd {
 public:
  PassEnd(Context& context, kube::Resource resource)
      : client_(context.client), resource_(resource), writer_(context.clock, context.client, std::move(resource)) {}

  // Writes the status if it differs. A status that is no longer about to change is written immediately.
  [[nodiscard]] Reconciled end(kube::Object object, Result<Outcome> outcome, std::optional<std::string> status,
                               StatusWriter::Urgency urgency);
  void forget(const kube::Key& key) { writer_.forget(key); }

  // The change of the object starts the next pass.
  [[nodiscard]] Reconciled add_finalizer(kube::Object object, std::string name);
  [[nodiscard]] Reconciled remove_finalizer(kube::Object object, std::string name);

 private:
  kube::Client& client_;
  kube::Resource resource_;
  StatusWriter writer_;
};

// Ready or Stalled: the next change is not expected soon.
[[nodiscard]] bool is_settled(const std::vector<kube::Condition>& conditions);

template <CustomKind T>
class FunctionReconciler final : public Reconciler {
 public:
  using Function = Reconciled (*)(const T&, Pass<T>&);

  FunctionReconciler(Context& context, Function function, std::optional<Finalizer<T>> finalizer)
      : context_(context),
        resource_(kube::resource_of<T>()),
        end_(context, resource_),
        function_(function),
        finalizer_(std::move(finalizer)) {}

  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> reconcile(kube::Key key, Logger log) override {
    auto found = context_.informer(resource_).get(key);
    const bool is_finalized = found && finalizer_ && has_finalizer(*found, finalizer_->name);
    if (!found || (found->deleting() && !is_finalized)) {
      end_.forget(key);
      co_return Outcome::done();
    }
    if (finalizer_ && !is_finalized) co_return co_await end_.add_finalizer(*found, finalizer_->name);
    const auto function = found->deleting() ? finalizer_->cleanup : function_;
    co_return co_await pass(*found, std::move(log), function);
  }

 private:
  using Status = typename T::Status;

  [[nodiscard]] Reconciled pass(kube::Object found, Logger log, Function function) {
    auto object = read<T>(found);
    // It stays unreadable until it changes, and then this is called again.
    if (!object) co_return terminal(std::move(object).error());
    const auto before = own_part(object->status);
    auto status = before;
    Pass<T> pass(context_, found, std::move(log), status);
    auto outcome = co_await function(*object, pass);
    pass.end(outcome.has_value());
    if (!outcome && is_waiting(outcome.error())) outcome = requeue_after(kWait);
    const bool is_clean = found.deleting() && outcome && !outcome->after();
    if (is_clean) co_return co_await end_.remove_finalizer(std::move(found), finalizer_->name);
    auto urgency = StatusWriter::Urgency::kNow;
    auto change = change_of(before, status, outcome.has_value() || pass.has_stable_message(), urgency);
    co_return co_await end_.end(std::move(found), std::move(outcome), std::move(change), urgency);
  }

  // The status without conditions that other controllers set: an apply that repeats them would own them.
  static Status own_part(Status status) {
    if constexpr (HasConditions<Status>) {
      std::erase_if(status.conditions,
                    [](const kube::Condition& condition) { return !Pass<T>::is_own(condition.type); });
    }
    return status;
  }

  // The status to write, if it is to be written.
  static std::optional<std::string> change_of(const Status& before, const Status& after, bool messages_are_stable,
                                              StatusWriter::Urgency& urgency) {
    auto text = kube::encode(after);
    if (text == kube::encode(before)) return std::nullopt;
    // A pass that fails with another message each time would write its status each time.
    if constexpr (HasConditions<Status>) {
      if (!messages_are_stable && !says_more(before, after)) return std::nullopt;
      if (messages_are_stable && !is_settled(after.conditions)) urgency = StatusWriter::Urgency::kSoon;
    }
    return text;
  }

  Context& context_;
  kube::Resource resource_;
  PassEnd end_;
  Function function_;
  std::optional<Finalizer<T>> finalizer_;
};

}  // namespace detail

// `function` is called whenever an object of the kind, or one that it owns, may have changed, and never twice at once
// for one object. For an object that is being deleted the finalizer's function is called instead, if there is one; its
// children are deleted by garbage collection.
template <CustomKind T>
[[nodiscard]] Definition controller_for(Reconciled (*function)(const T&, Pass<T>&),
                                        std::optional<Finalizer<T>> finalizer = std::nullopt) {
  Definition definition(kind_of<T>());
  const auto& resource = definition.kind().resource;
  if (finalizer) definition.needs({resource.group, resource.plural, {"patch"}});
  definition.reconciled_by([function, finalizer](Context& context) {
    return std::make_unique<detail::FunctionReconciler<T>>(context, function, finalizer);
  });
  return definition;
}

}  // namespace keelson::controller

namespace keelson {
using controller::controller_for;
using controller::Finalizer;
}  // namespace keelson
