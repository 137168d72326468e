// Client, informer and sandbox in a process, connected by TLS.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/certificates.hpp"

namespace keelson::testing {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// A server with a certificate of its own CA, and a client that trusts the CA and sends a token.
struct Wire {
  Wire() {
    auto identity = authority.issue_for_loopback();
    net::HttpServerOptions options;
    options.host = "127.0.0.1";
    options.tls = tls::ServerTls{identity.certificate_pem, identity.key_pem, ""};
    auto made = net::make_http_server(loop.executor(), loop.real_clock(), Logger(sink), sandbox.handler(), options);
    REQUIRE(made.has_value());
    server = std::move(*made);
    server->start();
    kube::ConnectionConfig config;
    config.server = "https://localhost:" + std::to_string(server->port());
    config.url.origin = {true, "localhost", std::to_string(server->port())};
    config.tls.ca_pem = authority.certificate_pem();
    config.token = "wire";
    auto client_made = kube::make_rest_client(loop.executor(), loop.real_clock(), random, Logger(sink), registry,
                                              config, {.user_agent = "test"});
    REQUIRE(client_made.has_value());
    client = std::move(*client_made);
  }
  ~Wire() {
    loop.run_real([this] { return server->stop(0s); });
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  metrics::Registry registry;
  Authority authority;
  sandbox::ApiServer sandbox{loop.real_clock(), random};
  std::unique_ptr<net::HttpServer> server;
  std::unique_ptr<kube::Client> client;
};

std::string config_map(const std::string& name, std::size_t bytes = 1) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
         R"(","namespace":"default"},"data":{"x":")" + std::string(bytes, 'x') + R"("}})";
}

asio::awaitable<void> create(kube::Client& client, std::string name, std::size_t bytes) {
  auto created = co_await kube::create(client, kube::config_maps(), "default", config_map(name, bytes));
  INFO((created ? "" : created.error().message()));
  REQUIRE(created.has_value());
}

TEST_CASE("every verb works over TLS") {
  Wire wire;

  wire.loop.run_real([&]() -> asio::awaitable<void> {
    co_await create(*wire.client, "a", 100'000);
    kube::Key key("default", "a");
    auto found = co_await kube::get(*wire.client, kube::config_maps(), key);
    REQUIRE(found.has_value());
    auto patched =
        co_await kube::patch(*wire.client, kube::config_maps(), key, kube::PatchType::kMerge, R"({"data":{"y":"2"}})");
    REQUIRE(patched.has_value());
    auto again = co_await kube::create(*wire.client, kube::config_maps(), "default", config_map("a"));
    REQUIRE_FALSE(again.has_value());
    CHECK(kube::is_already_exists(again.error()));
    auto removed = co_await kube::remove(*wire.client, kube::config_maps(), key, {});
    CHECK(removed.has_value());
    auto gone = co_await kube::get(*wire.client, kube::config_maps(), key);
    REQUIRE_FALSE(gone.has_value());
    CHECK(kube::is_not_found(gone.error()));
  });

  CHECK(wire.sandbox.count([](const sandbox::RequestInfo& request) { return request.user == "wire"; }) == 6);
}

TEST_CASE("an informer processes a watch whose events are split anywhere by TLS records and chunks") {
  Wire wire;
  auto cache = cache::make_cache(wire.loop.executor(), wire.loop.real_clock(), wire.random, Logger(wire.sink),
                                 *wire.client, wire.registry, {});
  cache::InformerOptions options;
  options.resource = kube::config_maps();
  auto& informer = cache->declare(std::move(options));
  constexpr int kObjects = 60;

  wire.loop.run_real([&]() -> asio::awaitable<void> {
    co_await create(*wire.client, "before", 70'000);
    auto started = co_await cache->start();
    REQUIRE(started.has_value());
    co_await cache->wait_for_sync({&informer});
    for (int number = 0; number < kObjects; ++number) {
      co_await create(*wire.client, "cm-" + std::to_string(number), static_cast<std::size_t>(number) * 997);
    }
    while (informer.list().size() < kObjects + 1) co_await async::sleep_for(wire.loop.real_clock(), 5ms);
    for (const auto& object : informer.list()) {
      auto live = co_await kube::get(*wire.client, kube::config_maps(), object.key());
      REQUIRE(live.has_value());
      CHECK(live->resource_version() == object.resource_version());
    }
    wire.sandbox.drop_watches();
    co_await create(*wire.client, "after", 10);
    while (!informer.get({"default", "after"})) co_await async::sleep_for(wire.loop.real_clock(), 5ms);
    co_await cache->stop();
  });

  CHECK(informer.list().size() == kObjects + 2);
}

TEST_CASE("an informer of metadata receives no content over the wire, in lists and watches") {
  Wire wire;
  auto cache = cache::make_cache(wire.loop.executor(), wire.loop.real_clock(), wire.random, Logger(wire.sink),
                                 *wire.client, wire.registry, {});
  auto& informer = cache->declare({.resource = kube::config_maps(), .content = cache::OnlyMetadata{}});
  const auto is_metadata = [&](const std::string& name) {
    const auto found = informer.get({"default", name});
    return found && found->json().starts_with(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{)") &&
           found->json().find("data\":{\"x") == std::string_view::npos;
  };

  wire.loop.run_real([&]() -> asio::awaitable<void> {
    co_await create(*wire.client, "before", 70'000);
    auto started = co_await cache->start();
    REQUIRE(started.has_value());
    co_await cache->wait_for_sync({&informer});
    CHECK(is_metadata("before"));
    co_await create(*wire.client, "after", 70'000);
    while (!informer.get({"default", "after"})) co_await async::sleep_for(wire.loop.real_clock(), 5ms);
    CHECK(is_metadata("after"));
    kube::ListOptions options{.ns = "default", .content = kube::Content::kMetadata};
    auto list = co_await kube::list(*wire.client, kube::config_maps(), std::move(options));
    REQUIRE(list.has_value());
    for (const auto& object : list->items) CHECK(object.json().size() < 1000);
    co_await cache->stop();
  });
}

}  // namespace
}  // namespace keelson::testing
