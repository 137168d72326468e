#include "test/cluster/harness/client.hpp"

#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::testing {

namespace {

// The loop runs only while a request is in flight.
struct Connection {
  Connection() {
    auto config = kube::load_connection("", kube::process_environment());
    REQUIRE(config);
    auto made = kube::make_rest_client(loop.executor(), loop.real_clock(), random, Logger(sink), registry,
                                       std::move(*config), {.user_agent = "test"});
    REQUIRE(made);
    client = std::move(*made);
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  metrics::Registry registry;
  std::unique_ptr<kube::Client> client;
};

}  // namespace

Result<kube::ApiReply> send(kube::ApiRequest request, std::chrono::seconds limit) {
  static Connection connection;
  std::optional<Result<kube::ApiReply>> reply;
  auto exchange = [&]() -> boost::asio::awaitable<void> {
    auto sent = connection.client->send(std::move(request));
    reply = co_await async::with_timeout(connection.loop.real_clock(), limit, "API server", std::move(sent));
  };
  connection.loop.run_real(exchange, 2 * limit);
  return std::move(*reply);
}

}  // namespace keelson::testing
