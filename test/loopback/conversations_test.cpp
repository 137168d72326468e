// The sandbox passes the conversations that a real API server passes in test/cluster.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/conversations.hpp"

namespace keelson::testing {
namespace {

TEST_CASE("the sandbox answers every conversation as written") {
  for (const auto& conversation : conversations()) {
    sandbox::loop::TestLoop loop;
    base::Random random(1);
    sandbox::ApiServer server(loop.clock(), random);
    std::vector<std::string> differences;

    loop.run([&]() -> boost::asio::awaitable<void> {
      differences = co_await converse(server.client("user"), loop.clock(), "default", conversation);
    });

    std::string told;
    for (const auto& difference : differences) told += difference + "\n";
    INFO(told);
    CHECK(differences.empty());
  }
}

}  // namespace
}  // namespace keelson::testing
