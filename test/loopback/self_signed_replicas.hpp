// Replicas with self-signed certificates, and the sandbox.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/detail/webhook/self_signed.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::testing {

namespace asio = boost::asio;
using namespace std::chrono_literals;

inline const kube::Key kSecret("default", "cert");

inline asio::awaitable<void> start(async::Runnable& replica) {
  auto started = co_await replica.start();
  CHECK(started.has_value());
}

// Stores the certificate that it is given.
struct RecordingUser final : tls::CertificateUser {
  Result<void> use(tls::ServerTls tls) override {
    used.push_back(std::move(tls));
    return {};
  }
  void wait_because(const Error& error) override { reason = error.message(); }

  std::vector<tls::ServerTls> used;
  std::string reason;
};

inline kube::Kind served(kube::Resource resource) {
  kube::Kind kind;
  kind.resource = std::move(resource);
  return kind;
}

inline std::string configuration(const kube::Resource& resource, const std::string& name) {
  return R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")" + resource.kind + R"(","metadata":{"name":")" +
         name +
         R"("},"webhooks":[{"name":"v.kb.io","clientConfig":{"service":{"name":"webhook","namespace":"default"}},)"
         R"("sideEffects":"None","admissionReviewVersions":["v1"]},)"
         R"({"name":"other.kb.io","clientConfig":{"service":{"name":"other","namespace":"default"}},)"
         R"("sideEffects":"None","admissionReviewVersions":["v1"]}]})";
}

struct SelfSignedReplicas {
  SelfSignedReplicas() {
    server.serve(served(kube::mutating_webhook_configurations()));
    server.serve(served(kube::validating_webhook_configurations()));
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
    for (const auto& [resource, name] : {std::pair(kube::mutating_webhook_configurations(), "mutating"),
                                         {kube::validating_webhook_configurations(), "validating"}}) {
      auto created = co_await kube::create(server.client("admin"), resource, "", configuration(resource, name));
      CHECK(created.has_value());
    }
  }
  // The caBundle that API servers trust for our Service, from the only configuration; "" if there is none.
  std::string bundle(const kube::Resource& resource) {
    auto objects = server.objects(resource);
    if (objects.size() != 1) return "";
    auto document = *json::Document::parse(objects[0].json());
    auto webhooks = document.root().find("webhooks");
    CHECK(webhooks.item(1).at({"clientConfig", "caBundle"}).is_absent());
    auto bundle = webhooks.item(0).at({"clientConfig", "caBundle"}).string().value_or("");
    return *base::base64_decode(bundle);
  }
  std::string mutating_bundle() { return bundle(kube::mutating_webhook_configurations()); }
  std::string validating_bundle() { return bundle(kube::validating_webhook_configurations()); }
  std::string secret(const std::string& key) {
    auto objects = server.objects(kube::secrets());
    REQUIRE(objects.size() == 1);
    auto document = *json::Document::parse(objects[0].json());
    return *base::base64_decode(document.root().at({"data", key}).string().value_or(""));
  }
  // Most of it in a single jump, as in a suspended process: a check each minute for a year is too slow for a test.
  asio::awaitable<void> skip(async::Duration time) {
    loop.clock().advance(time - 2min);
    return pass(2min);
  }
  asio::awaitable<void> pass(async::Duration time) { return async::sleep_for(loop.clock(), time); }

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  sandbox::ApiServer server{loop.clock(), random};
};

inline bool is_trusted(const std::string& bundle, const std::string& authority) {
  return !authority.empty() && bundle.find(authority) != std::string::npos;
}

}  // namespace keelson::testing
