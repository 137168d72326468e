// A controller from a function: what most operators are.
//
//   int main(int argc, char** argv) {
//     return run(argc, argv, {controller_for<Greeting>(reconcile).owns<core::v1::ConfigMap>()});
//   }
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/controller/status.hpp"

namespace keelson::controller {

namespace detail {

// What every kind's controller does around its function; the kind itself is only in the template below.
class PassEnd {
 public:
  PassEnd(Context& context, kube::Resource resource) : writer_(context.clock, context.client, std::move(resource)) {}

  // Writes the status if it differs. A status that is no longer about to change is written immediately.
  [[nodiscard]] Reconciled end(kube::Object object, Result<Outcome> outcome, std::optional<std::string> status,
                               StatusWriter::Urgency urgency);
  void forget(const kube::Key& key) { writer_.forget(key); }

 private:
  StatusWriter writer_;
};

// Ready or Stalled: the next change is not expected soon.
[[nodiscard]] bool is_settled(const std::vector<kube::Condition>& conditions);

template <CustomKind T>
class FunctionReconciler final : public Reconciler {
 public:
  using Function = Reconciled (*)(const T&, Pass<T>&);

  FunctionReconciler(Context& context, Function function)
      : context_(context), resource_(kube::resource_of<T>()), end_(context, resource_), function_(function) {}

  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> reconcile(kube::Key key, Logger log) override {
    auto found = context_.informer(resource_).get(key);
    if (!found || found->deleting()) {
      end_.forget(key);
      co_return Outcome::done();
    }
    auto object = read<T>(*found);
    // It stays unreadable until it changes, and then this is called again.
    if (!object) co_return terminal(std::move(object).error());
    const auto before = own_part(object->status);
    auto status = before;
    Pass<T> pass(context_, *found, std::move(log), status);
    auto outcome = co_await function_(*object, pass);
    pass.end(outcome.has_value());
    if (!outcome && is_waiting(outcome.error())) outcome = requeue_after(kWait);
    auto urgency = StatusWriter::Urgency::kNow;
    auto change = change_of(before, status, outcome.has_value() || pass.has_stable_message(), urgency);
    co_return co_await end_.end(*found, std::move(outcome), std::move(change), urgency);
  }

 private:
  using Status = typename T::Status;

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
};

}  // namespace detail

// `function` is called whenever an object of the kind, or one that it owns, may have changed, and never twice at once
// for one object. It is not called for an object that is being deleted: its children are deleted by garbage collection.
template <CustomKind T>
[[nodiscard]] Definition controller_for(Reconciled (*function)(const T&, Pass<T>&)) {
  Definition definition(kind_of<T>());
  definition.reconciled_by(
      [function](Context& context) { return std::make_unique<detail::FunctionReconciler<T>>(context, function); });
  return definition;
}

}  // namespace keelson::controller

namespace keelson {
using controller::controller_for;
}  // namespace keelson
