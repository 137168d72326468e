#include "src/doctor/webhooks.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/schema/time.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;
using namespace std::chrono_literals;

struct BoatSpec {};
void describe(kube::Description&, BoatSpec&) {}

const CalledService kCalled{"sea-system", "sea-webhook-service"};
const async::WallTime kToday = *kube::parse_time("2026-01-01T00:00:00Z");

Examined with_defaulter() {
  auto definition = boat_controller();
  definition.with_defaulter<BoatSpec>([](controller::Context&) { return nullptr; });
  Examined examined;
  examined.webhooks = controller::webhooks_of({definition});
  examined.controllers = {std::move(definition)};
  return examined;
}

// The registration as `config/webhook` has it, with a CA.
std::string registered() {
  const auto write_service = [](json::Writer& writer, const std::string& path) {
    writer.key("service").begin_object().field("name", kCalled.name).field("namespace", kCalled.ns);
    writer.field("path", path).end_object().field("caBundle", "Q0E=");
  };
  return controller::webhook_configurations(with_defaulter().webhooks, write_service).at(0).json;
}

Ids ids_of_registration(std::string registration, const std::string& from = "", const std::string& to = "") {
  if (!from.empty()) {
    INFO(registration);
    REQUIRE(registration.find(from) != std::string::npos);
    registration.replace(registration.find(from), from.size(), to);
  }
  Findings findings;
  check_configuration(desired_configurations(with_defaulter()).at(0), "sea", json::Document::parse(registration),
                      findings);
  return ids_of(findings);
}

TEST_CASE("each difference of a registration is a finding") {
  CHECK(ids_of_registration(registered()).empty());
  CHECK(ids_of_registration(registered(), R"("CREATE",)", "") == Ids{"webhook-rules-differ"});
  CHECK(ids_of_registration(registered(), R"("Fail")", R"("Ignore")") == Ids{"webhook-rules-differ"});
  CHECK(ids_of_registration(registered(), "/mutate-", "/mutates-") == Ids{"webhook-rules-differ"});
  CHECK(ids_of_registration(registered(), "Q0E=", "") == Ids{"webhook-ca-missing"});
  CHECK(ids_of_registration(registered(), "mboat-v1", "other-v1") == Ids{"webhook-configuration-missing"});
  CHECK(ids_of_registration("{}") == Ids{"webhook-configuration-missing"});
  Findings findings;
  check_configuration(desired_configurations(with_defaulter()).at(0), "sea", status_error(404, "NotFound"), findings);
  CHECK(ids_of(findings) == Ids{"webhook-configuration-missing"});
}

TEST_CASE("the called Service and the CA bundle are those of the first webhook") {
  const auto configuration = parsed(registered());
  CHECK(called_service(configuration.root()) == kCalled);
  CHECK(ca_bundle_of(configuration.root()) == "CA");
  const auto by_url = parsed(R"({"webhooks":[{"clientConfig":{"url":"https://x"}}]})");
  CHECK_FALSE(called_service(by_url.root()));
}

Ids ids_of_service(const Reading& service, const Reading& slices) {
  Findings findings;
  check_webhook_service(kCalled, service, slices, findings);
  return ids_of(findings);
}

TEST_CASE("a Service of webhooks needs a ready endpoint, except for one with an external name") {
  const auto text = [](const std::string& json) { return json::Document::parse(json); };
  const auto service = R"({"spec":{"type":"ClusterIP"}})";
  const auto not_ready = list_json(R"({"endpoints":[{"conditions":{"ready":false}}]})");
  CHECK(ids_of_service(text(service), text(list_json(kSlice))).empty());
  CHECK(ids_of_service(text(service), text(list_json(R"({"endpoints":[{}]})"))).empty());
  CHECK(ids_of_service(text(service), text(list_json(""))) == Ids{"webhook-no-endpoints"});
  CHECK(ids_of_service(text(service), text(not_ready)) == Ids{"webhook-no-endpoints"});
  CHECK(ids_of_service(text(R"({"spec":{"type":"ExternalName"}})"), text(list_json(""))).empty());
  CHECK(ids_of_service(status_error(404, "NotFound"), text(list_json(""))) == Ids{"webhook-service-missing"});
  CHECK(ids_of_service(text(service), status_error(403, "Forbidden")) == Ids{"check-forbidden"});
}

tls::ServingCertificate certificate(const std::string& name, async::Duration valid_for = std::chrono::hours(24 * 30)) {
  auto made = tls::make_serving_certificate(
      {.authority_name = "ca", .names = {name}, .from = kToday - std::chrono::hours(48), .until = kToday + valid_for});
  REQUIRE(made);
  return *made;
}

Reading secret_with(const tls::ServingCertificate& identity) {
  return json::Document::parse(R"({"data":{"tls.crt":")" + base::base64_encode(identity.certificate_pem) +
                               R"(","tls.key":")" + base::base64_encode(identity.key_pem) + R"(","ca.crt":")" +
                               base::base64_encode(identity.authority_pem) + R"("}})");
}

Ids ids_of_certificate(const Reading& secret, const std::string& bundle) {
  Findings findings;
  check_certificate("cert", secret, bundle, kCalled, kToday, findings);
  return ids_of(findings);
}

TEST_CASE("each problem of the webhooks' certificate is a finding") {
  const auto name = kCalled.name + "." + kCalled.ns + ".svc";
  const auto good = certificate(name);
  const auto other = certificate(name);
  const auto secret = [](const tls::ServingCertificate& identity) { return secret_with(identity); };
  CHECK(ids_of_certificate(secret(good), good.authority_pem).empty());
  // During a rotation the bundle has two authorities, and without a bundle there is webhook-ca-missing.
  CHECK(ids_of_certificate(secret(good), other.authority_pem + good.authority_pem).empty());
  CHECK(ids_of_certificate(secret(good), "").empty());
  CHECK(ids_of_certificate(secret(good), other.authority_pem) == Ids{"webhook-ca-mismatch"});
  const auto misnamed = certificate("elsewhere.svc");
  CHECK(ids_of_certificate(secret(misnamed), misnamed.authority_pem) == Ids{"webhook-certificate-name"});
  const auto expiring = certificate(name, std::chrono::hours(24));
  CHECK(ids_of_certificate(secret(expiring), expiring.authority_pem) == Ids{"webhook-certificate-expires"});
  const auto expired = certificate(name, -std::chrono::hours(24));
  CHECK(ids_of_certificate(secret(expired), expired.authority_pem) == Ids{"webhook-certificate-expired"});
  // An intermediate certificate signs the one of the server.
  auto chained = expiring;
  chained.certificate_pem += chained.authority_pem;
  CHECK(ids_of_certificate(secret(chained), good.authority_pem) == Ids{"webhook-certificate-expires"});
  // The finding is webhook-ca-missing.
  auto alone = good;
  alone.authority_pem = "";
  CHECK(ids_of_certificate(secret(alone), "").empty());
  CHECK(ids_of_certificate(json::Document::parse("{}"), good.authority_pem) == Ids{"webhook-certificate-invalid"});
  CHECK(ids_of_certificate(status_error(404, "NotFound"), "") == Ids{"webhook-secret-missing"});
  CHECK(ids_of_certificate(status_error(403, "Forbidden"), "") == Ids{"check-forbidden"});
}

TEST_CASE("a finding about a certificate never contains its key") {
  const auto good = certificate("elsewhere.svc");
  Findings findings;
  auto broken = good;
  broken.key_pem = good.key_pem.substr(0, good.key_pem.size() / 2);
  check_certificate("cert", secret_with(broken), good.authority_pem, kCalled, kToday, findings);
  REQUIRE(ids_of(findings) == Ids{"webhook-certificate-invalid"});
  CHECK(findings.all().front().detail.find(good.key_pem.substr(40, 20)) == std::string::npos);
}

TEST_CASE("kinds with webhooks and a sample are created as a dry run, with a generated name") {
  const auto calls = dry_run_calls(with_defaulter(), "sea-system");

  REQUIRE(calls.size() == 1);
  const auto& request = calls.front().request;
  CHECK(request.key.ns == "sea-system");
  CHECK(request.body ==
        R"({"apiVersion":"sea.example.com/v1","kind":"Boat","spec":{"size":1},"metadata":{"generateName":"doctor-"}})");
  const std::vector<std::pair<std::string, std::string>> query = {{"timeout", "8s"}, {"dryRun", "All"}};
  CHECK(request.query == query);
  Examined without;
  without.controllers = {boat_controller()};
  CHECK(dry_run_calls(without, "sea-system").empty());
}

TEST_CASE("a configuration is found by the Service and the path that it calls, whatever its name") {
  controller::WebhookConfiguration desired;
  desired.json = R"({"webhooks":[{"clientConfig":{"service":{"path":"/mutate-boat"}}}]})";
  const auto configuration = [](const std::string& name, const std::string& ns, const std::string& path) {
    return R"({"metadata":{"name":")" + name + R"("},"webhooks":[{"clientConfig":{"service":{"namespace":")" + ns +
           R"(","path":")" + path + R"("}}}]})";
  };
  const auto others = configuration("a", "lake", "/mutate-boat") + "," + configuration("b", "sea", "/mutate-ship");
  const auto list = parsed(list_json(others + "," + configuration("c", "sea", "/mutate-boat")));

  CHECK(calling_configuration(desired, list.root(), "sea") == "c");
  CHECK(calling_configuration(desired, parsed(list_json(others)).root(), "sea").empty());
}

TEST_CASE("a webhook that denies has answered, and one that cannot be called is a finding") {
  const auto ids_of_reply = [](Reading reply) {
    Findings findings;
    Request call{kube::ApiRequest()};
    call.reply = std::move(reply);
    check_call(with_defaulter(), call, findings);
    return ids_of(findings);
  };
  CHECK(ids_of_reply(json::Document::parse("{}")).empty());
  CHECK(ids_of_reply(status_error(403, "Forbidden", R"(admission webhook "v" denied the request: no)")).empty());
  CHECK(ids_of_reply(status_error(422, "Invalid", "spec.size")).empty());
  CHECK(ids_of_reply(status_error(404, "NotFound")).empty());
  const auto ours = with_defaulter().webhooks.front().name();
  CHECK(ids_of_reply(status_error(500, "InternalError", "failed calling webhook \"" + ours + "\": no endpoints")) ==
        Ids{"webhook-call-failed"});
  CHECK(ids_of_reply(status_error(500, "InternalError", R"(failed calling webhook "policy.io": no endpoints)")) ==
        Ids{"check-failed"});
  CHECK(ids_of_reply(status_error(403, "Forbidden",
                                  R"(boats is forbidden: User "u" cannot create resource "boats" in API group "")")) ==
        Ids{"check-forbidden"});
  CHECK(ids_of_reply(status_error(403, "Forbidden", "boats is forbidden: exceeded quota: boats")).empty());
}

}  // namespace
}  // namespace keelson::doctor
