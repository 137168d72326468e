#include "src/program/webhook_policy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>

using namespace keelson;
using namespace keelson::program;
using Certificate = WebhookPolicy::Certificate;

namespace {

// A world without variables and files, in which a controller has webhooks.
struct VariablesAndFile {
  std::map<std::string, std::string> variables;
  std::string file;
  bool has_webhooks = true;

  [[nodiscard]] WebhookPolicy plan(const Options& options) const {
    WebhookEnvironment around;
    around.environment = [this](const std::string& name) -> std::optional<std::string> {
      auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    around.exists = [this](const std::string& path) { return path == file; };
    around.has_webhooks = has_webhooks;
    return decide_webhooks(options, around);
  }
};

}  // namespace

TEST_CASE("webhooks that are not requested are off, with a log line") {
  VariablesAndFile world;

  auto plan = world.plan({});

  CHECK(plan.certificate == Certificate::kNone);
  CHECK(plan.why_not ==
        "Webhooks are off: no --webhook-cert-path, no --webhook-self-signed, and no "
        "/tmp/k8s-webhook-server/serving-certs/tls.crt");
}

TEST_CASE("a given folder enables webhooks, whether or not its files exist") {
  VariablesAndFile world;
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

TEST_CASE("the client CA may be in another folder") {
  Options options;
  options.webhook_cert_path = "/certs";
  options.webhook_client_ca = "/etc/ca.crt";

  CHECK(VariablesAndFile().plan(options).paths.client_ca == "/etc/ca.crt");
}

TEST_CASE("a certificate in the default folder enables webhooks") {
  VariablesAndFile world;
  world.variables["TMPDIR"] = "/var/tmp";
  world.file = "/var/tmp/k8s-webhook-server/serving-certs/tls.crt";

  auto plan = world.plan({});

  CHECK(plan.certificate == Certificate::kFiles);
  CHECK(plan.paths.certificate == world.file);
  CHECK(plan.paths.client_ca.empty());
}

TEST_CASE("a self-signed certificate needs no files") {
  Options options;
  options.webhook_self_signed = true;

  CHECK(VariablesAndFile().plan(options).certificate == Certificate::kSelfSigned);
}

TEST_CASE("C28: ENABLE_WEBHOOKS disables webhooks only with the value false") {
  Options options;
  options.webhook_cert_path = "/certs";
  VariablesAndFile world;

  world.variables["ENABLE_WEBHOOKS"] = "false";
  CHECK(world.plan(options).why_not == "Webhooks are off: ENABLE_WEBHOOKS is false");
  for (const auto* other : {"", "0", "False", "true"}) {
    world.variables["ENABLE_WEBHOOKS"] = other;
    CHECK(world.plan(options).certificate == Certificate::kFiles);
  }
}

TEST_CASE("port 0 disables webhooks, which is not logged for controllers without webhooks") {
  Options options;
  options.webhook_cert_path = "/certs";
  VariablesAndFile without;
  without.has_webhooks = false;

  CHECK(without.plan(options).certificate == Certificate::kNone);
  CHECK(without.plan(options).why_not.empty());
  options.webhook_port = 0;
  CHECK(VariablesAndFile().plan(options).why_not == "Webhooks are off: --webhook-port is 0");
}

TEST_CASE("a URL without webhooks is logged as having no effect") {
  VariablesAndFile world;
  world.has_webhooks = false;
  Options options;
  options.webhook_url = "https://192.168.1.7:9443";

  CHECK(world.plan(options).why_not == "--webhook-url has no effect: there are no webhooks");
}

TEST_CASE("a URL enables webhooks with a certificate for it") {
  Options options;
  options.webhook_url = "https://192.168.1.7:9443";

  CHECK(VariablesAndFile{}.plan(options).certificate == Certificate::kForUrl);
}

TEST_CASE("a dry run serves webhooks with certificates from files only") {
  VariablesAndFile world;
  Options options;
  options.dry_run = true;
  options.webhook_cert_path = "/certs";
  CHECK(world.plan(options).certificate == Certificate::kFiles);

  options.webhook_self_signed = true;
  CHECK(world.plan(options).certificate == Certificate::kNone);
  Options by_url;
  by_url.dry_run = true;
  by_url.webhook_url = "https://192.168.1.7:9443";
  CHECK(world.plan(by_url).certificate == Certificate::kNone);
  CHECK(world.plan(by_url).why_not == "Webhooks are off: --dry-run stores no webhook certificate and no registration");
}
