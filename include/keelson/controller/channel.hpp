// Events from outside Kubernetes that reconcile an object: controller-runtime's source.Channel.
//
//   controller::Channel orders;
//   Operator shop("shop");
//   shop.add(controller_for<Shop>(reconcile).channel(orders));
//   shop.runnable("orders", [orders](controller::Context& context) { return listen(context, orders); });
//
// A handle: copies are one channel. Everything is called on the loop, and nothing waits.
//
// A controller that runs gets each key at once, into its queue, which removes duplicates. For one that does not run yet
// (before the start, on a standby) the distinct keys are stored, at most limits::kChannelKeys; if there are more, the
// controller reconciles every object of its kind when it starts. So only keys without an object can be lost, and those
// only by the thousand. A key that comes while the controller stops is dropped: the next leader reconciles every object
// when it starts, unless a predicate of its definition excludes it.
#pragma once

#include <memory>
#include <string>

#include "keelson/kube/key.hpp"

namespace keelson::controller {

class Channel {
 public:
  Channel();

  // `reason` is in the log of the reconcile, next to those of watch events: "order received".
  void enqueue(const kube::Key& key, const std::string& reason = "channel");

 private:
  friend class ChannelReceiver;
  struct State;
  std::shared_ptr<State> state_;  // mutable and shared: by the author's copies and the controllers that receive
};

}  // namespace keelson::controller
