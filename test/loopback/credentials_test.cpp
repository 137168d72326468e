// Credentials that change while a client uses them: token files, exec plugins, certificates; and a proxy.

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/certificates.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/support/test_proxy.hpp"

namespace keelson::testing {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// An API server with TLS that accepts only the current tokens, and a client with a kubeconfig. The test moves the
// client's time; the server's time is real.
struct ServerWithTokens {
  ServerWithTokens() {
    authenticated = [this, inner = sandbox.handler()](net::Request request) -> asio::awaitable<net::ServerReply> {
      auto shown = std::string(net::header(request.headers, "Authorization"));
      if (!tokens.empty() && !tokens.contains(shown)) {
        ++rejections;
        net::ServerReply rejection;
        rejection.response = {401, {}, R"({"kind":"Status","status":"Failure","reason":"Unauthorized","code":401})"};
        co_return rejection;
      }
      auto reply = co_await inner(std::move(request));
      co_return reply;
    };
    net::HttpServerOptions options;
    options.host = "127.0.0.1";
    options.tls = tls_of(authority);
    auto made = net::make_http_server(loop.executor(), loop.real_clock(), Logger(sink), authenticated, options);
    REQUIRE(made.has_value());
    server = std::move(*made);
    server->start();
  }
  ~ServerWithTokens() {
    client.reset();
    loop.run_real([this] { return server->stop(0s); });
  }

  tls::ServerTls tls_of(const Authority& issuer, const std::string& client_ca = "") {
    auto identity = issuer.issue_for_loopback();
    return {identity.certificate_pem, identity.key_pem, client_ca};
  }

  kube::ConnectionConfig load(const std::string& user, const std::string& more_of_cluster = "") {
    auto path = folder.write("kubeconfig",
                             "contexts: [{name: c, context: {cluster: c, user: u}}]\ncurrent-context: c\n"
                             "clusters: [{name: c, cluster: {server: 'https://localhost:" +
                                 std::to_string(server->port()) + "', certificate-authority: ca.crt" + more_of_cluster +
                                 "}}]\nusers: [{name: u, user: " + user + "}]\n");
    auto environment = kube::process_environment();
    environment.variable = [](const std::string&) { return std::string(); };
    auto config = kube::load_connection(path, environment);
    INFO((config ? "" : config.error().text));
    REQUIRE(config.has_value());
    return std::move(*config);
  }
  std::unique_ptr<kube::Client> make_client(kube::ConnectionConfig config,
                                            std::shared_ptr<kube::PluginCredentials> plugin = nullptr) {
    kube::RestClientOptions options;
    options.user_agent = "test";
    options.plugin = std::move(plugin);
    auto made = kube::make_rest_client(loop.executor(), loop.clock(), random, Logger(sink), registry, std::move(config),
                                       std::move(options));
    REQUIRE(made.has_value());
    return std::move(*made);
  }
  void connect(const std::string& user, const std::string& more_of_cluster = "") {
    client = make_client(load(user, more_of_cluster));
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  metrics::Registry registry;
  Authority authority;
  TemporaryFolder folder;
  std::string ca_file = folder.write("ca.crt", authority.certificate_pem());
  std::set<std::string> tokens;  // "Bearer …"; empty: no authentication
  int rejections = 0;
  sandbox::ApiServer sandbox{loop.real_clock(), random};
  net::Handler authenticated;
  std::unique_ptr<net::HttpServer> server;
  std::unique_ptr<kube::Client> client;
};

std::string config_map(const std::string& name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + R"(","namespace":"default"}})";
}

asio::awaitable<void> write(ServerWithTokens& world, std::string name) {
  auto written = co_await kube::apply(*world.client, kube::config_maps(), {"default", name},
                                      kube::ApplyForm::kCreateOnly, config_map(name));
  INFO((written ? "" : written.error().message()));
  REQUIRE(written.has_value());
}

asio::awaitable<std::string> list(ServerWithTokens& world) {
  auto found = co_await kube::list(*world.client, kube::config_maps(), {.ns = "default"});
  co_return found ? std::to_string(found->items.size()) : found.error().message();
}

asio::awaitable<std::unique_ptr<net::Stream>> watch(ServerWithTokens& world) {
  kube::ApiRequest request;
  request.verb = kube::Verb::kWatch;
  request.resource = kube::config_maps();
  auto stream = co_await world.client->stream(std::move(request));
  INFO((stream ? "" : stream.error().message()));
  REQUIRE(stream.has_value());
  co_return std::move(*stream);
}

// A token in the output format of a plugin.
std::string credential(const std::string& token) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":")" + token +
         "\"}}";
}

// A user whose plugin records each run and prints the file `credential`.
std::string plugin_user(const TemporaryFolder& folder) {
  folder.write("plugin.sh", "cd \"$(dirname \"$0\")\"; echo run >> runs; echo hello >&2; cat credential");
  return "{exec: {command: sh, args: ['" + folder.path().string() +
         "/plugin.sh'], apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}}";
}

TEST_CASE("token rotation during a watch and 500 writes loses no object and creates none twice") {
  ServerWithTokens world;
  auto show = [&](const std::string& token) {
    world.folder.write("token", token + "\n");
    world.tokens = {"Bearer " + token};
  };
  show("t0");
  world.connect("{tokenFile: token}");
  auto cache = cache::make_cache(world.loop.executor(), world.loop.real_clock(), world.random, Logger(world.sink),
                                 *world.client, world.registry, {});
  cache::InformerOptions options;
  options.resource = kube::config_maps();
  auto& informer = cache->declare(std::move(options));
  int unannounced = 0;

  world.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await cache->start();
    REQUIRE(started.has_value());
    co_await cache->wait_for_sync({&informer});
    for (int number = 0; number < 500; ++number) {
      if (number % 50 == 25) {
        show("t" + std::to_string(number));
        bool in_time = number % 100 == 25;  // the client has reread the file by itself; otherwise after a 401
        if (in_time) world.loop.clock().advance(50s);
        unannounced += in_time ? 0 : 1;
        if (number == 225 || number == 275) world.sandbox.drop_watches();
      }
      co_await write(world, "cm-" + std::to_string(number));
    }
    while (informer.list().size() < 500) co_await async::sleep_for(world.loop.real_clock(), 5ms);
    co_await cache->stop();
  });

  CHECK(world.sandbox.objects(kube::config_maps()).size() == 500);
  CHECK(world.sandbox.count([](const auto& request) { return request.is_write(); }) == 500);
  CHECK(unannounced == 5);
  CHECK(world.rejections >= unannounced);
  CHECK(world.rejections <= unannounced + 2);  // the watch may send the first request
}

TEST_CASE("an exec plugin runs once for many requests through a proxy, and again when its token is rejected") {
  ServerWithTokens world;
  TestProxy proxy(world.loop.executor(), {.authorization = "Basic bWU6cHc="});
  world.tokens = {"Bearer one"};
  world.folder.write("credential", credential("one"));
  world.connect(plugin_user(world.folder),
                ", proxy-url: 'http://me:pw@127.0.0.1:" + std::to_string(proxy.port()) + "'");
  auto ask_often = [&]() -> asio::awaitable<void> {
    async::TaskGroup group(world.loop.executor());
    auto ask = [](ServerWithTokens& w) -> asio::awaitable<void> {
      auto answer = co_await list(w);
      CHECK(answer == "0");
    };
    for (int i = 0; i < 10; ++i) group.spawn(ask(world));
    co_await group.join();
  };

  world.loop.run_real(ask_often);
  CHECK(world.folder.read("runs") == "run\n");

  world.folder.write("credential", credential("two"));
  world.tokens = {"Bearer two"};
  world.loop.clock().advance(10s);
  world.loop.run_real(ask_often);
  CHECK(world.folder.read("runs") == "run\nrun\n");

  CHECK(world.sink.count("Exec plugin wrote to standard error") == 2);
  CHECK_FALSE(proxy.asked().empty());
  for (const auto& asked : proxy.asked()) CHECK(asked == "CONNECT localhost:" + std::to_string(world.server->port()));
  world.client.reset();
  world.loop.run_real(proxy.stop());
}

TEST_CASE("two clients of one connection share an exec plugin: one run for both") {
  ServerWithTokens world;
  world.tokens = {"Bearer one"};
  world.folder.write("credential", credential("one"));
  auto config = world.load(plugin_user(world.folder));
  auto plugin = kube::make_plugin_credentials(world.loop.executor(), world.loop.clock(), Logger(world.sink), config);
  std::string first;
  std::string second;

  world.client = world.make_client(config, plugin);
  world.loop.run_real([&]() -> asio::awaitable<void> { first = co_await list(world); });
  world.client = world.make_client(config, plugin);
  world.loop.run_real([&]() -> asio::awaitable<void> { second = co_await list(world); });
  world.loop.run_real(kube::stop_plugin(plugin));

  CHECK(first == "0");
  CHECK(second == "0");
  CHECK(world.folder.read("runs") == "run\n");
}

TEST_CASE("requests fail with the message of a failing plugin, and succeed when the plugin recovers") {
  ServerWithTokens world;
  world.tokens = {"Bearer one"};
  auto user = plugin_user(world.folder);
  world.folder.write("plugin.sh", "echo 'session expired, log in again' >&2; exit 3");
  world.connect(user);
  std::string broken;
  std::string mended;

  world.loop.run_real([&]() -> asio::awaitable<void> { broken = co_await list(world); });
  world.folder.write("credential", credential("one"));
  plugin_user(world.folder);
  world.loop.clock().advance(10s);
  world.loop.run_real([&]() -> asio::awaitable<void> { mended = co_await list(world); });

  CHECK(broken.find("getting credentials: exec: executable sh failed with exit code 3: session expired, log in again "
                    "(exec of user \"u\" in kubeconfig ") != std::string::npos);
  CHECK(mended == "0");
}

TEST_CASE("new connections use a new client certificate, and watches are reconnected with it") {
  ServerWithTokens world;
  Authority old_people;
  Authority new_people;
  auto show = [&](const Authority& people) {
    auto pair = people.issue({.common_name = "me"});
    world.folder.write("me.key", pair.key_pem);
    world.folder.write("me.crt", pair.certificate_pem);
    REQUIRE(world.server->set_tls(world.tls_of(world.authority, people.certificate_pem())).has_value());
  };
  show(old_people);
  world.connect("{client-certificate: me.crt, client-key: me.key}");
  std::string before;
  std::string after;
  std::string end_of_watch;

  world.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await watch(world);
    before = co_await list(world);
    show(new_people);
    world.loop.clock().advance(5min);
    after = co_await list(world);
    std::string buffer(1000, '\0');
    auto read = co_await stream->read_some(buffer);
    end_of_watch = read ? "goes on" : read.error().text;
    auto again = co_await watch(world);
    CHECK(again->status() == 200);
  });

  CHECK(before == "0");
  CHECK(after == "0");
  CHECK(end_of_watch.find("unexpected EOF") != std::string::npos);
  CHECK(world.sink.count("Reloaded certificates; new connections use them") == 1);
}

TEST_CASE("the client trusts the new CA of a restarted API server within ten seconds") {
  ServerWithTokens world;
  Authority successor;
  world.connect("{token: t}");
  std::string rejected;
  std::string trusted;

  world.loop.run_real([&]() -> asio::awaitable<void> {
    REQUIRE(world.server->set_tls(world.tls_of(successor)).has_value());
    world.folder.write("ca.crt", successor.certificate_pem());
    rejected = co_await list(world);
    world.loop.clock().advance(10s);
    trusted = co_await list(world);
  });

  CHECK(rejected.find("tls: failed to verify certificate: x509: ") != std::string::npos);
  CHECK(trusted == "0");
}

TEST_CASE("the client uses a certificate from a plugin and replaces it with a new one") {
  ServerWithTokens world;
  Authority old_people;
  Authority new_people;
  auto show = [&](const Authority& people) {
    auto pair = people.issue({.common_name = "me"});
    auto escaped = [](std::string pem) {
      for (auto at = pem.find('\n'); at != std::string::npos; at = pem.find('\n')) pem.replace(at, 1, "\\n");
      return pem;
    };
    world.folder.write("credential",
                       R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)"
                       R"("clientCertificateData":")" +
                           escaped(pair.certificate_pem) + R"(","clientKeyData":")" + escaped(pair.key_pem) +
                           R"(","expirationTimestamp":"2026-01-01T00:10:00Z"}})");  // of the client's calendar
    REQUIRE(world.server->set_tls(world.tls_of(world.authority, people.certificate_pem())).has_value());
  };
  show(old_people);
  world.connect(plugin_user(world.folder));
  std::string before;
  std::string after;

  world.loop.run_real([&]() -> asio::awaitable<void> {
    before = co_await list(world);
    show(new_people);
    world.loop.clock().advance(11min);
    after = co_await list(world);
  });

  CHECK(before == "0");
  CHECK(after == "0");
  CHECK(world.folder.read("runs") == "run\nrun\n");
}

}  // namespace
}  // namespace keelson::testing
