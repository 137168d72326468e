// A real API server answers every conversation as written, so the expectations of the sandbox are correct.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/support/conversations.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> differences_of(const Conversation& conversation) {
  Namespace own;
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random(1);
  metrics::Registry registry;
  auto config = kube::load_connection("", kube::process_environment());
  REQUIRE(config.has_value());
  auto client = kube::make_rest_client(loop.executor(), loop.real_clock(), random, Logger(sink), registry, *config,
                                       {.user_agent = "conversations"});
  REQUIRE(client.has_value());
  std::vector<std::string> differences;

  auto body = [&]() -> boost::asio::awaitable<void> {
    differences = co_await converse(**client, loop.real_clock(), own.name(), conversation);
  };
  loop.run_real(body, 300s);
  return differences;
}

TEST_CASE("a real API server answers every conversation as written") {
  for (const auto& conversation : conversations()) {
    auto differences = differences_of(conversation);

    std::string told;
    for (const auto& difference : differences) told += difference + "\n";
    INFO(told);
    CHECK(differences.empty());
  }
}

}  // namespace
}  // namespace keelson::testing
