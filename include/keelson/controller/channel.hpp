// A source of reconciles from outside Kubernetes, such as a message queue: controller-runtime's source.Channel.
//
// Example (test/examples/program.cpp#channel):
//   // Receives orders on the leader until the program stops; here a timer stands for the message queue.
//   Task<void> receive_orders(controller::Context& context, controller::Channel orders) {
//     for (;;) {
//       co_await async::sleep_for(context.clock, std::chrono::seconds(1));
//       orders.enqueue({"", "team-a"}, "order received");
//     }
//   }
//
//   int run_shop(int argc, char** argv) {
//     controller::Channel orders;
//     Operator shop("shop");
//     shop.add(controller_for<core::v1::Namespace>(reconcile).channel(orders));
//     shop.runnable("orders", [orders](controller::Context& context) { return receive_orders(context, orders); });
//     return shop.run(argc, argv);
//   }
//
// A Channel is a handle: all copies refer to the same channel. Call it on the event loop only; no call waits. Several
// controllers can receive from one channel, and each receives every key.
//
// A running controller adds each key to its queue immediately, and the queue removes duplicates. For a controller that
// does not run yet (before the start, on a standby), the channel stores the distinct keys, at most
// 10,000 (limits::kChannelKeys). Beyond that, the controller reconciles all objects at its start; keys without an
// object are then lost. A key that arrives while the controller stops is dropped: the next leader reconciles every
// object when it starts, unless a predicate of its definition excludes the object.
#pragma once

#include <memory>
#include <string>

#include "keelson/kube/object.hpp"

namespace keelson::controller {

class Channel {
 public:
  Channel();

  // Requests a reconcile of the object with this key in the controller's kind; the object need not exist. `reason` is
  // logged with the reconcile, next to those of watch events: "order received". Use a constant, because the queue
  // limits the number of different reasons to 1000.
  void enqueue(const kube::Key& key, const std::string& reason = "channel");

 private:
  friend class ChannelReceiver;
  struct State;
  std::shared_ptr<State> state_;  // mutable; shared by the author's copies and the controllers that receive
};

}  // namespace keelson::controller
