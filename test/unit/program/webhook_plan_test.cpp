#include "src/program/webhook_plan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>

using namespace keelson;
using namespace keelson::program;
using Certificate = WebhookPlan::Certificate;

namespace {

// A world without variables and files, in which a controller has webhooks.
struct World {
  std::map<std::string, std::string> variables;
  std::string file;
  bool has_webhooks = true;

  [[nodiscard]] WebhookPlan plan(const Options& options) const {
    WebhookSurroundings around;
    around.environment = [this](const std::string& name) -> std::optional<std::string> {
      auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    around.exists = [this](const std::string& path) { return path == file; };
    around.has_webhooks = has_webhooks;
    return plan_webhooks(options, around);
  }
};

}  // namespace

TEST_CASE("webhooks that nobody asked for are off with one line") {
  World world;

  auto plan = world.plan({});

  CHECK(plan.certificate == Certificate::kNone);
  CHECK(plan.why_not ==
        "Webhooks are off: no --webhook-cert-path, no --webhook-self-signed, and no "
        "/tmp/k8s-webhook-server/serving-certs/tls.crt");
}

TEST_CASE("a folder that was named asks for webhooks, whether its files are there or not") {
  World world;
  Options options;
  options.webhook_cert_path = "/certs";
  options.webhook_cert_name = "a.crt";
  options.webhook_cert_key = "a.key";
  options.webhook_client_ca = "ca.crt";

  auto plan = world.plan(options);

  CHECK(plan.certificate == Certificate::kFiles);
  CHECK(plan.paths.certificate == "/certs/a.crt");
  CHECK(plan.paths.key == "/certs/a.key");
  CHECK(plan.paths.client_ca == "/certs/ca.crt");
}

TEST_CASE("a client CA may be elsewhere") {
  Options options;
  options.webhook_cert_path = "/certs";
  options.webhook_client_ca = "/etc/ca.crt";

  CHECK(World().plan(options).paths.client_ca == "/etc/ca.crt");
}

TEST_CASE("a certificate in the default folder asks for webhooks") {
  World world;
  world.variables["TMPDIR"] = "/var/tmp";
  world.file = "/var/tmp/k8s-webhook-server/serving-certs/tls.crt";

  auto plan = world.plan({});

  CHECK(plan.certificate == Certificate::kFiles);
  CHECK(plan.paths.certificate == world.file);
  CHECK(plan.paths.client_ca.empty());
}

TEST_CASE("a certificate of our own making needs no files") {
  Options options;
  options.webhook_self_signed = true;

  CHECK(World().plan(options).certificate == Certificate::kSelfSigned);
}

TEST_CASE("ENABLE_WEBHOOKS is off only by the word false") {
  Options options;
  options.webhook_cert_path = "/certs";
  World world;

  world.variables["ENABLE_WEBHOOKS"] = "false";
  CHECK(world.plan(options).why_not == "Webhooks are off: ENABLE_WEBHOOKS is false");
  for (const auto* other : {"", "0", "False", "true"}) {
    world.variables["ENABLE_WEBHOOKS"] = other;
    CHECK(world.plan(options).certificate == Certificate::kFiles);
  }
}

TEST_CASE("port 0 is off, and controllers without webhooks need no word about it") {
  Options options;
  options.webhook_cert_path = "/certs";
  World without;
  without.has_webhooks = false;

  CHECK(without.plan(options).certificate == Certificate::kNone);
  CHECK(without.plan(options).why_not.empty());
  options.webhook_port = 0;
  CHECK(World().plan(options).why_not == "Webhooks are off: --webhook-port is 0");
}

TEST_CASE("a URL without webhooks is said to have no effect") {
  World world;
  world.has_webhooks = false;
  Options options;
  options.webhook_url = "https://192.168.1.7:9443";

  CHECK(world.plan(options).why_not == "--webhook-url has no effect: there are no webhooks");
}

TEST_CASE("a URL asks for webhooks with a certificate for it") {
  Options options;
  options.webhook_url = "https://192.168.1.7:9443";

  CHECK(World{}.plan(options).certificate == Certificate::kForUrl);
}
