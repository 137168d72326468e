// Self-signed certificates while other clients change or delete their objects, or the API server rejects writes.
#include "test/loopback/self_signed_replicas.hpp"

namespace keelson::testing {

TEST_CASE("a deleted or corrupted Secret is restored with its former content") {
  SelfSignedReplicas world;
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

TEST_CASE("a replica that starts while the Secret is missing keeps the certificates of the running replicas trusted") {
  SelfSignedReplicas world;
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

TEST_CASE("a removed caBundle is restored") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  auto& admin = world.server.client("admin");

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    co_await start(*replica);
    co_await world.pass(20s);
    auto taken =
        co_await kube::patch(admin, kube::mutating_webhook_configurations(), kube::Key("", "mutating"),
                             kube::PatchType::kJson, R"([{"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}])");
    CHECK(taken.has_value());
    co_await world.pass(61s);
    co_await replica->stop();
  });

  CHECK(world.mutating_bundle() == world.secret("ca.crt"));
}

TEST_CASE("the empty Secret of config/default is filled and keeps its immutable type") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  const std::string shipped =
      R"({"metadata":{"name":"cert","annotations":{"keelson.dev/webhook-certificate":"self-signed"}},"type":"Opaque"})";

  world.loop.run([&]() -> asio::awaitable<void> {
    auto created = co_await kube::create(world.server.client("admin"), kube::secrets(), "default", shipped);
    CHECK(created.has_value());
    co_await start(*replica);
    co_await world.pass(2s);
    co_await replica->stop();
  });

  REQUIRE(user.used.size() == 1);
  CHECK(user.used[0].certificate_pem == world.secret("tls.crt"));
  CHECK(world.server.objects(kube::secrets())[0].json().find(R"("type":"Opaque")") != std::string_view::npos);
}

TEST_CASE("an API server that is away is not counted as an unreadable certificate, and a missing permission is") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  const auto errors = [&] { return world.registry.samples("certwatcher_read_certificate_errors_total").at(0).value; };

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    co_await start(*replica);
    co_await world.pass(10s);
    for (int request = 0; request < 50; ++request) {
      world.server.fail_next([](const sandbox::RequestInfo&) { return true; }, transport_error("connection refused"));
    }
    co_await world.pass(2min);
    CHECK(world.sink.count("webhook certificate reconciliation failed") == 1);
    CHECK(errors() == 0);
    co_await world.pass(5min);
    auto forbidden =
        world.server.forbid([](const sandbox::RequestInfo& request) { return request.resource == kube::secrets(); });
    co_await world.pass(2min);
    CHECK(errors() > 0);
    co_await replica->stop();
  });

  CHECK(world.registry.samples("keelson_certificate_expiry_seconds").size() == 2);
  CHECK(world.registry.samples("keelson_certificate_expiry_seconds").at(0).labels.at(0) == "webhook");
  CHECK(world.registry.samples("keelson_certificate_expiry_seconds").at(1).labels.at(0) == "webhook-ca");
}

TEST_CASE("a missing Secret that must not be created is reported with a remedy") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    auto forbidden = world.server.forbid(
        [](const sandbox::RequestInfo& request) { return request.resource == kube::secrets() && request.is_write(); });
    co_await start(*replica);
    co_await world.pass(2s);
    co_await replica->stop();
  });

  CHECK(user.used.empty());
  CHECK(user.reason.find("secret default/cert does not exist and the manager has no permission to create it; apply the "
                         "manifests again, which contain it: ") == 0);
}

TEST_CASE("a Secret that another program created is not changed, and is reported as a conflict") {
  SelfSignedReplicas world;
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
  CHECK(user.reason ==
        "secret default/cert was not created by this operator and is not changed; delete it, or set --webhook-secret");
  CHECK(world.sink.count("webhook certificate reconciliation failed") == 1);
}

TEST_CASE("the rejection of one webhook configuration does not prevent the caBundle of the other") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    auto forbidden = world.server.forbid([](const sandbox::RequestInfo& request) {
      return request.resource == kube::mutating_webhook_configurations();
    });
    co_await start(*replica);
    co_await world.pass(10s);
    co_await replica->stop();
  });

  CHECK(world.mutating_bundle().empty());
  CHECK(world.validating_bundle() == world.secret("ca.crt"));
  CHECK(world.sink.count("webhook certificate reconciliation failed") == 1);
}

TEST_CASE("a caBundle that could not be written is reported as an error") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);

  world.loop.run([&]() -> asio::awaitable<void> {
    co_await world.register_webhooks();
    auto forbidden = world.server.forbid([](const sandbox::RequestInfo& request) {
      return request.resource == kube::mutating_webhook_configurations() && request.is_write();
    });
    co_await start(*replica);
    co_await world.pass(10s);
    CHECK(world.sink.count("Published the CA of the webhook certificate") == 1);
    CHECK(world.mutating_bundle().empty());
    CHECK(world.sink.count("webhook certificate reconciliation failed") == 1);
    forbidden.reset();
    co_await world.pass(10s);
    co_await replica->stop();
  });

  CHECK(world.sink.count("Published the CA of the webhook certificate") == 2);
  CHECK(world.mutating_bundle() == world.secret("ca.crt"));
}

TEST_CASE("a configuration without a webhook for our Service is logged once") {
  SelfSignedReplicas world;
  RecordingUser user;
  auto replica = world.replica("a", user);
  constexpr const char* kTold = "No webhook of the configuration calls the Service, its caBundle is not written";

  world.loop.run([&]() -> asio::awaitable<void> {
    auto created = co_await kube::create(
        world.server.client("admin"), kube::mutating_webhook_configurations(), "",
        R"({"metadata":{"name":"mutating"},"webhooks":[{"name":"v.kb.io","clientConfig":{"url":"https://x"},)"
        R"("sideEffects":"None","admissionReviewVersions":["v1"]}]})");
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

TEST_CASE("rejections of the API server are logged once and retried") {
  SelfSignedReplicas world;
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
  CHECK(world.sink.count("webhook certificate reconciliation failed") == 1);
}

}  // namespace keelson::testing
