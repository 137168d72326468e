// Operators: one with a flag, a runnable, a readiness check and an endpoint of its own, and one with a Channel.
#include "keelson/program/operator.hpp"

#include <string>

#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/controller/controller_for.hpp"

namespace keelson::examples {

Reconciled reconcile(const core::v1::Namespace&, Pass<core::v1::Namespace>&) { co_return done(); }

// [program]
// Uploads a backup every hour, on the leader only, until the program stops.
Task<void> back_up(controller::Context& context) {
  const auto& url = context.flag<std::string>("backup-url");
  for (;;) {
    context.log.info("Uploading a backup", {{"url", url}});
    co_await async::sleep_for(context.clock, std::chrono::hours(1));
  }
}

boost::asio::awaitable<net::Response> list_backups(controller::Context&, net::Request) {
  net::Response response;
  response.status = 200;
  response.body = "none\n";
  co_return response;
}

int run_operator(int argc, char** argv) {
  Operator backups("backups");
  backups.add(controller_for<core::v1::Namespace>(reconcile));
  backups.flag<std::string>("backup-url", "", "The URL that backups are uploaded to.");
  backups.runnable("backup", back_up);
  backups.readyz("backup-store", [] { return Result<void>(); });
  backups.handle("/backups", list_backups);
  return backups.run(argc, argv);
}
// [end]

// [channel]
// Receives orders on the leader until the program stops; here a timer stands for the message queue.
Task<void> receive_orders(controller::Context& context, controller::Channel orders) {
  for (;;) {
    co_await async::sleep_for(context.clock, std::chrono::seconds(1));
    orders.enqueue({"", "team-a"}, "order received");
  }
}

int run_shop(int argc, char** argv) {
  controller::Channel orders;
  Operator shop("shop");
  shop.add(controller_for<core::v1::Namespace>(reconcile).channel(orders));
  shop.runnable("orders", [orders](controller::Context& context) { return receive_orders(context, orders); });
  return shop.run(argc, argv);
}
// [end]

}  // namespace keelson::examples
