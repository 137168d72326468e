// Certificates of our own making against the API server in this process, over a year of virtual time.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "keelson/kube/base64.hpp"
#include "keelson/net/certificate_authority.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "keelson/webhook/self_signed.hpp"
#include "test/support/recording_sink.hpp"
#include "test/support/test_loop.hpp"

namespace keelson::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

const kube::Key kSecret("default", "cert");

asio::awaitable<void> start(async::Runnable& replica) {
  auto started = co_await replica.start();
  CHECK(started.has_value());
}

// Keeps what it is to serve with.
struct RecordingUser final : webhook::CertificateUser {
  Result<void> use(net::ServerTls tls) override {
    used.push_back(std::move(tls));
    return {};
  }
  void wait_because(const Error& error) override { reason = error.message(); }

  std::vector<net::ServerTls> used;
  std::string reason;
};

kube::Kind served(kube::Resource resource) {
  kube::Kind kind;
  kind.resource = std::move(resource);
  return kind;
}

std::string configuration(const kube::Resource& resource, const std::string& name) {
  return R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")" + resource.kind + R"(","metadata":{"name":")" +
         name +
         R"("},"webhooks":[{"name":"v.kb.io","clientConfig":{"service":{"name":"webhook","namespace":"default"}}},)"
         R"({"name":"other.io","clientConfig":{"service":{"name":"other","namespace":"default"}}}]})";
}

struct World {
  World() {
    server.serve(served(webhook::mutating_webhook_configurations()));
    server.serve(served(webhook::validating_webhook_configurations()));
  }

  std::unique_ptr<async::Runnable> replica(const std::string& user, RecordingUser& recorder) {
    webhook::SelfSignedOptions options;
    options.ns = "default";
    options.service_name = "webhook";
    options.secret = "cert";
    options.mutating_configuration = "mutating";
    options.validating_configuration = "validating";
    return webhook::make_self_signed(loop.executor(), loop.clock(), Logger(sink), registry, server.client(user),
                                     options, recorder);
  }
  asio::awaitable<void> register_webhooks() {
    for (const auto& [resource, name] : {std::pair(webhook::mutating_webhook_configurations(), "mutating"),
                                         {webhook::validating_webhook_configurations(), "validating"}}) {
      auto created = co_await kube::create(server.client("admin"), resource, "", configuration(resource, name));
      CHECK(created.has_value());
    }
  }
  // What API servers trust for our Service, by the one configuration; "" while there is nothing.
  std::string bundle(const kube::Resource& resource) {
    auto objects = server.objects(resource);
    if (objects.size() != 1) return "";
    auto document = *json::Document::parse(objects[0].json());
    auto webhooks = document.root().find("webhooks");
    CHECK(webhooks.item(1).at({"clientConfig", "caBundle"}).is_absent());
    auto bundle = webhooks.item(0).at({"clientConfig", "caBundle"}).string().value_or("");
    return *kube::base64_decode(bundle);
  }
  std::string mutating_bundle() { return bundle(webhook::mutating_webhook_configurations()); }
  std::string validating_bundle() { return bundle(webhook::validating_webhook_configurations()); }
  std::string secret(const std::string& key) {
    auto objects = server.objects(kube::secrets());
    REQUIRE(objects.size() == 1);
    auto document = *json::Document::parse(objects[0].json());
    return *kube::base64_decode(document.root().at({"data", key}).string().value_or(""));
  }
  // Nearly all of it at once, as a process that was asleep: a look a minute for a year is too much for a test.
  asio::awaitable<void> skip(async::Duration time) {
    loop.clock().advance(time - 2min);
    return pass(2min);
  }
  asio::awaitable<void> pass(async::Duration time) { return async::sleep_for(loop.clock(), time); }

  TestLoop loop;
  base::Random random{1};
  RecordingSink sink;
  metrics::Registry registry;
  sandbox::ApiServer server{loop.clock(), random};
};

bool is_trusted(const std::string& bundle, const std::string& authority) {
  return !authority.empty() && bundle.find(authority) != std::string::npos;
}

}  // namespace

TEST_CASE("a certificate is made, served with and trusted, also by configurations that come later") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await start(*replica);
    co_await world.pass(2s);
    INFO(user.reason);
    CHECK(user.used.size() == 1);
    co_await world.register_webhooks();
    co_await world.pass(6s);
    co_await replica->stop();
  });

  CHECK(user.used.back().certificate_pem == world.secret("tls.crt"));
  CHECK(user.used.back().key_pem == world.secret("tls.key"));
  CHECK(world.mutating_bundle() == world.secret("authority.crt"));
  CHECK(world.validating_bundle() == world.secret("ca.crt"));
}

TEST_CASE("a certificate is valid already for whose clock is a day behind") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await start(*replica);
    co_await world.pass(2s);
    co_await replica->stop();
  });

  REQUIRE(user.used.size() == 1);
  auto facts = net::examine_identity({user.used[0].certificate_pem, user.used[0].key_pem, world.secret("ca.crt")});
  CHECK(facts.value().from <= world.loop.clock().wall_now() - 24h);
}

TEST_CASE("of several replicas one writer wins and all serve the same") {
  World world;
  RecordingUser users[3];
  std::vector<std::unique_ptr<async::Runnable>> replicas;
  for (int number = 0; number < 3; ++number) {
    replicas.push_back(world.replica("replica-" + std::to_string(number), users[number]));
  }

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    for (auto& replica : replicas) co_await start(*replica);
    co_await world.pass(20s);
    for (auto& replica : replicas) co_await replica->stop();
  });

  for (const auto& user : users) {
    REQUIRE(user.used.size() == 1);
    CHECK(user.used[0].certificate_pem == world.secret("tls.crt"));
  }
  auto created = world.server.count(
      [](const sandbox::RequestInfo& request) { return request.resource == kube::secrets() && request.code == 201; });
  CHECK(created == 1);
  CHECK(world.sink.count("the webhook certificate is not as it should be") == 0);
}

TEST_CASE("for a year and more nobody serves with what is not trusted, and nothing expires") {
  World world;
  RecordingUser users[2];
  auto first = world.replica("first", users[0]);
  auto second = world.replica("second", users[1]);
  std::size_t unserved = 0;
  std::size_t untrusted = 0;
  std::size_t expired = 0;
  // The authority of each certificate that was ever in the Secret.
  std::map<std::string, std::string> authorities;

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    co_await start(*first);
    co_await start(*second);
    co_await world.pass(30s);
    for (int day = 0; day < 380; ++day) {
      authorities[world.secret("tls.crt")] = world.secret("authority.crt");
      for (const auto& user : users) {
        if (user.used.empty()) ++unserved;
        const auto& certificate = user.used.back().certificate_pem;
        const auto authority = authorities[certificate];
        for (const auto& bundle : {world.mutating_bundle(), world.validating_bundle()}) {
          if (!is_trusted(bundle, authority)) ++untrusted;
        }
        auto facts = net::examine_identity({certificate, user.used.back().key_pem, authority});
        if (!facts || facts->until <= world.loop.clock().wall_now()) ++expired;
      }
      co_await world.skip(24h);
    }
    co_await first->stop();
    co_await second->stop();
  });

  CHECK(unserved == 0);
  CHECK(untrusted == 0);
  CHECK(expired == 0);
  CHECK(users[0].used.size() == 2);
  CHECK(users[0].used.back().certificate_pem == users[1].used.back().certificate_pem);
  CHECK(authorities.size() == 2);
}

TEST_CASE("the next authority is trusted an hour before anybody serves with its certificate") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    co_await start(*replica);
    co_await world.pass(30s);
    co_await world.skip((365 - 122) * 24h - 90s);
    CHECK(world.secret("next.crt").empty());
    co_await world.pass(3min);
    const auto next = world.secret("next.crt");
    const auto next_authority = world.secret("next-authority.crt");
    CHECK(is_trusted(world.mutating_bundle(), next_authority));
    CHECK(is_trusted(world.mutating_bundle(), world.secret("authority.crt")));
    co_await world.pass(50min);
    CHECK(user.used.size() == 1);
    co_await world.pass(20min);
    CHECK(user.used.back().certificate_pem == next);
    CHECK(world.secret("next.crt").empty());
    CHECK(is_trusted(world.mutating_bundle(), next_authority));
    CHECK(is_trusted(world.mutating_bundle(), world.secret("former-authority.crt")));
    co_await replica->stop();
  });
}

TEST_CASE("a Secret that somebody deletes or spoils is restored as it was") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  auto& admin = world.server.client("admin");

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    co_await start(*replica);
    co_await world.pass(10s);
    const auto certificate = world.secret("tls.crt");
    auto removed = co_await kube::remove(admin, kube::secrets(), kSecret, {});
    CHECK(removed.has_value());
    co_await world.pass(61s);
    CHECK(world.secret("tls.crt") == certificate);
    auto spoiled = co_await kube::patch(admin, kube::secrets(), kSecret, kube::PatchType::kMerge,
                                        R"({"data":{"tls.key":"bm8ga2V5"}})");
    CHECK(spoiled.has_value());
    co_await world.pass(61s);
    CHECK(world.secret("tls.crt") == certificate);
    CHECK(world.secret("tls.key") == user.used[0].key_pem);
    co_await replica->stop();
  });

  CHECK(user.used.size() == 1);
}

TEST_CASE("who comes while the Secret is gone keeps the others trusted that still serve with what was in it") {
  World world;
  RecordingUser users[2];
  auto old_replica = world.replica("old", users[0]);
  auto new_replica = world.replica("new", users[1]);
  auto& admin = world.server.client("admin");

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    co_await start(*old_replica);
    co_await world.pass(10s);
    const auto served = world.secret("authority.crt");
    auto removed = co_await kube::remove(admin, kube::secrets(), kSecret, {});
    CHECK(removed.has_value());
    co_await start(*new_replica);
    co_await world.pass(10s);
    REQUIRE(users[0].used.size() == 1);
    for (const auto& bundle : {world.mutating_bundle(), world.validating_bundle()}) {
      CHECK(is_trusted(bundle, served));
      CHECK(is_trusted(bundle, world.secret("authority.crt")));
    }
    co_await world.pass(61s);
    co_await old_replica->stop();
    co_await new_replica->stop();
  });

  CHECK(users[0].used.back().certificate_pem == users[1].used.back().certificate_pem);
}

TEST_CASE("a caBundle that somebody takes away comes back") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  auto& admin = world.server.client("admin");

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    co_await start(*replica);
    co_await world.pass(20s);
    auto taken =
        co_await kube::patch(admin, webhook::mutating_webhook_configurations(), kube::Key("", "mutating"),
                             kube::PatchType::kJson, R"([{"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}])");
    CHECK(taken.has_value());
    co_await world.pass(61s);
    co_await replica->stop();
  });

  CHECK(world.mutating_bundle() == world.secret("ca.crt"));
}

TEST_CASE("a Secret that was not made here is left alone, and said to be in the way") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  const std::string foreign = R"({"metadata":{"name":"cert"},"data":{"tls.crt":"eA=="}})";

  world.loop.run([&]() -> asio::awaitable<void> {
    auto created = co_await kube::create(world.server.client("admin"), kube::secrets(), "default", foreign);
    CHECK(created.has_value());
    co_await start(*replica);
    co_await world.pass(60s);
    co_await replica->stop();
  });

  CHECK(world.secret("tls.crt") == "x");
  CHECK(user.used.empty());
  CHECK(user.reason == "secret default/cert was not made here, and is left alone");
  CHECK(world.sink.count("the webhook certificate is not as it should be") == 1);
}

TEST_CASE("a configuration that is refused does not keep the other from its bundle") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    auto forbidden = world.server.forbid([](const sandbox::RequestInfo& request) {
      return request.resource == webhook::mutating_webhook_configurations();
    });
    co_await start(*replica);
    co_await world.pass(10s);
    co_await replica->stop();
  });

  CHECK(world.mutating_bundle().empty());
  CHECK(world.validating_bundle() == world.secret("ca.crt"));
  CHECK(world.sink.count("the webhook certificate is not as it should be") == 1);
}

TEST_CASE("a configuration in which nobody calls our Service is mentioned once") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  constexpr const char* kTold = "No webhook of the configuration calls our Service: nothing to write there";

  world.loop.run([&]() -> asio::awaitable<void> {
    auto created = co_await kube::create(
        world.server.client("admin"), webhook::mutating_webhook_configurations(), "",
        R"({"metadata":{"name":"mutating"},"webhooks":[{"name":"v.kb.io","clientConfig":{"url":"https://x"}}]})");
    CHECK(created.has_value());
    co_await start(*replica);
    co_await world.pass(5min);
    co_await replica->stop();
  });

  REQUIRE(world.sink.count(kTold) == 1);
  for (const auto& entry : world.sink.entries()) {
    if (entry.message != kTold) continue;
    CHECK(entry.fields.ends_with(R"(name="mutating" service="webhook" namespace="default")"));
  }
}

TEST_CASE("what the API server refuses is said once and tried again") {
  World world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    auto forbidden =
        world.server.forbid([](const sandbox::RequestInfo& request) { return request.resource == kube::secrets(); });
    co_await start(*replica);
    co_await world.pass(30s);
    CHECK(user.used.empty());
    CHECK(user.reason.find("get secrets default/cert: ") == 0);
    forbidden.reset();
    co_await world.pass(6s);
    co_await replica->stop();
  });

  CHECK(user.used.size() == 1);
  CHECK(world.sink.count("the webhook certificate is not as it should be") == 1);
}

}  // namespace keelson::test
