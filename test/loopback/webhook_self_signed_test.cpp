// Self-signed certificates with the sandbox, over a year of virtual time.
#include "test/loopback/self_signed_replicas.hpp"

namespace keelson::testing {

TEST_CASE("a certificate is created, served and trusted, also by configurations that are created later") {
  SelfSignedReplicas world;
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

TEST_CASE("a new certificate is already valid for a client whose clock is a day behind") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await start(*replica);
    co_await world.pass(2s);
    co_await replica->stop();
  });

  REQUIRE(user.used.size() == 1);
  auto facts =
      tls::examine_serving_certificate({user.used[0].certificate_pem, user.used[0].key_pem, world.secret("ca.crt")});
  CHECK(facts.value().from <= world.loop.clock().wall_now() - 24h);
}

TEST_CASE("a single replica writes the certificate and all replicas serve it") {
  SelfSignedReplicas world;
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
  CHECK(world.sink.count("webhook certificate reconciliation failed") == 0);
}

TEST_CASE("for more than a year no replica serves an untrusted certificate, and no certificate expires") {
  SelfSignedReplicas world;
  RecordingUser users[2];
  auto first = world.replica("first", users[0]);
  auto second = world.replica("second", users[1]);
  std::size_t unserved = 0;
  std::size_t untrusted = 0;
  std::size_t expired = 0;
  // The CA of each certificate that was ever in the Secret.
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
        auto facts = tls::examine_serving_certificate({certificate, user.used.back().key_pem, authority});
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

TEST_CASE("the next CA is published an hour before a replica serves its certificate") {
  SelfSignedReplicas world;
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

}  // namespace keelson::testing
