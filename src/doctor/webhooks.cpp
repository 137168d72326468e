#include "src/doctor/webhooks.hpp"

#include <algorithm>
#include <chrono>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/kube/dry_run.hpp"
#include "keelson/detail/schema/sample.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/json/writer.hpp"
#include "src/doctor/kinds.hpp"
#include "src/doctor/sample.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

constexpr std::string_view kBeginCertificate = "-----BEGIN CERTIFICATE-----";

void write_path(json::Writer& writer, const std::string& path) {
  writer.key("service").begin_object().field("path", path).end_object();
}

// Only what decides which requests reach the webhook.
std::string difference_of_webhooks(json::View desired, json::View live) {
  for (const char* member : {"rules", "failurePolicy"}) {
    auto difference = first_difference(desired.find(member), live.find(member));
    if (!difference.empty()) return std::string(member) + difference;
  }
  const auto service = live.at({"clientConfig", "service"});
  if (service.is_absent()) return "";
  const auto path = text_at(service, {"path"});
  const auto expected = text_at(desired, {"clientConfig", "service", "path"});
  return path == expected ? "" : "path: " + path + ", not " + expected;
}

std::vector<std::string> certificates_in(const std::string& pem) {
  std::vector<std::string> certificates;
  for (auto begin = pem.find(kBeginCertificate); begin != std::string::npos;) {
    const auto next = pem.find(kBeginCertificate, begin + 1);
    certificates.push_back(pem.substr(begin, next == std::string::npos ? next : next - begin));
    begin = next;
  }
  return certificates;
}

std::string decoded(json::View secret, std::string_view key) {
  auto bytes = base::base64_decode(text_at(secret, {"data", key}));
  return bytes ? std::move(*bytes) : "";
}

// The facts of the certificate, if one of the authorities signed it.
Result<tls::ServingCertificateFacts> examine_by_any(const std::string& certificate, const std::string& key,
                                                    const std::vector<std::string>& authorities) {
  Result<tls::ServingCertificateFacts> facts = invalid_error("no authority is known");
  for (const auto& authority : authorities) {
    facts = tls::examine_serving_certificate({certificate, key, authority});
    if (facts) return facts;
  }
  return facts;
}

bool is_for(const tls::ServingCertificateFacts& facts, const CalledService& called) {
  const auto name = called.name + "." + called.ns + ".svc";
  return std::ranges::find(facts.names, name) != facts.names.end();
}

void check_dates(const tls::ServingCertificateFacts& facts, const std::string& subject, async::WallTime now,
                 Findings& findings) {
  constexpr auto kSoon = std::chrono::hours(7 * 24);
  const auto days = std::chrono::floor<std::chrono::days>(facts.until - now).count();
  if (now < facts.from || now > facts.until) {
    findings.add("webhook-certificate-expired", subject);
  } else if (facts.until - now < kSoon) {
    findings.add("webhook-certificate-expires", subject, "in " + std::to_string(days) + " days");
  }
}

// The sample as an object with a generated name.
std::optional<std::string> object_to_create(const kube::Kind& kind) {
  const auto yaml = kind.sample.empty() ? kube::sample_of(kind) : std::optional<std::string>(kind.sample);
  if (!yaml) return std::nullopt;
  const auto text = json::yaml_to_json(*yaml);
  if (!text) return std::nullopt;
  const auto document = json::Document::parse(*text);
  if (!document) return std::nullopt;
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : document->root().members()) {
    if (name != "metadata") writer.field(name, value);
  }
  writer.key("metadata").begin_object().field("generateName", "doctor-").end_object().end_object();
  return std::move(writer).take();
}

// The name of the webhook that the API server could not call; empty if the text is about something else.
std::string failed_webhook(const std::string& text) {
  constexpr std::string_view kSign = "failed calling webhook \"";
  const auto at = text.find(kSign);
  if (at == std::string::npos) return "";
  const auto begin = at + kSign.size();
  return text.substr(begin, text.find('"', begin) - begin);
}

using Configurations = std::vector<controller::WebhookConfiguration>;

// Only a manager with a certificate of its own uses the names in its flags; otherwise kustomize chooses the names.
awaitable<void> find_configurations(Reader& reader, const std::string& ns, const Configurations& desired,
                                    std::vector<std::string>& names) {
  Requests lists;
  for (const auto& configuration : desired) lists.emplace_back(list_of(configuration.resource, "", sample()));
  co_await reader.read(lists);
  for (std::size_t i = 0; i < desired.size(); ++i) {
    if (!lists[i].reply) continue;  // the read by name remains
    auto name = calling_configuration(desired[i], lists[i].reply->root(), ns);
    if (!name.empty()) names[i] = std::move(name);
  }
}

awaitable<void> examine_registration(Reader& reader, const Installation& installation, Findings& findings) {
  const auto& flags = installation.flags;
  const bool has_files = flags.webhooks == DeployedFlags::Webhooks::kFiles;
  const auto desired = desired_configurations(installation.examined);
  std::vector<std::string> names;
  for (const auto& configuration : desired) {
    const bool is_mutating = configuration.resource.plural.starts_with("mutating");
    names.push_back(is_mutating ? flags.mutating_configuration : flags.validating_configuration);
  }
  if (has_files) co_await find_configurations(reader, installation.ns, desired, names);
  Requests registered;
  for (std::size_t i = 0; i < desired.size(); ++i) {
    registered.emplace_back(get_of(desired[i].resource, "", names[i]));
  }
  co_await reader.read(registered);
  std::optional<CalledService> called;
  std::string ca_bundle;
  for (std::size_t i = 0; i < desired.size(); ++i) {
    const auto& reading = registered[i].reply;
    check_configuration(desired[i], names[i], reading, findings);
    if (!reading || called) continue;
    called = called_service(reading->root());
    ca_bundle = ca_bundle_of(reading->root());
  }
  if (!called) co_return;
  auto secret = flags.webhook_secret;
  if (has_files) {
    const auto& mounted = installation.deployed.manager.secrets;
    const auto found = mounted.find(flags.webhook_cert_folder);
    secret = found == mounted.end() ? "" : found->second;
  }
  Requests parts;
  parts.emplace_back(get_of(kube::services(), called->ns, called->name));
  parts.emplace_back(slices_of(called->ns, called->name));
  if (!secret.empty()) parts.emplace_back(get_of(kube::secrets(), installation.ns, secret));
  co_await reader.read(parts);
  check_webhook_service(*called, parts[0].reply, parts[1].reply, findings);
  if (!secret.empty()) check_certificate(secret, parts[2].reply, ca_bundle, *called, reader.server_now(), findings);
}

}  // namespace

awaitable<void> examine_webhooks(Reader& reader, const Installation& installation, Findings& findings) {
  const auto& examined = installation.examined;
  const auto& flags = installation.flags;
  if (examined.webhooks.empty()) {
    findings.summarize(Area::kWebhooks, "none");
    co_return;
  }
  if (!installation.has_deployment() || !installation.has_flags) {
    findings.skip(Area::kWebhooks, "not examined without a Deployment and its arguments");
    co_return;
  }
  findings.summarize(Area::kWebhooks, std::to_string(examined.webhooks.size()) + " webhooks");
  if (!flags.are_in_file && flags.webhooks == DeployedFlags::Webhooks::kOff) {
    findings.add("webhooks-off", "deployments/" + installation.deployed.name, flags.webhooks_off_because);
    co_return;
  }
  const bool is_registered = !flags.are_in_file && flags.webhooks != DeployedFlags::Webhooks::kUrl;
  if (is_registered) co_await examine_registration(reader, installation, findings);
  auto calls = dry_run_calls(examined, installation.ns);
  co_await reader.read(calls);
  for (const auto& call : calls) check_call(examined, call, findings);
}

std::vector<controller::WebhookConfiguration> desired_configurations(const Examined& examined) {
  return controller::webhook_configurations(examined.webhooks, write_path);
}

void check_configuration(const controller::WebhookConfiguration& desired, const std::string& name,
                         const Reading& reading, Findings& findings) {
  const auto subject = desired.resource.plural + "/" + name;
  if (!reading) {
    return findings.add_unread(Area::kWebhooks, reading.error(), "webhook-configuration-missing", subject);
  }
  const auto document = json::Document::parse(desired.json);
  KEELSON_ASSERT(document.has_value());
  for (const auto webhook : document->root().find("webhooks").items()) {
    const auto called = text_at(webhook, {"name"});
    const auto live = json::item_with(reading->root().find("webhooks"), "name", called);
    if (live.is_absent()) {
      findings.add("webhook-configuration-missing", subject, called);
      continue;
    }
    auto difference = difference_of_webhooks(webhook, live);
    if (!difference.empty()) findings.add("webhook-rules-differ", subject, called + ": " + difference);
    if (text_at(live, {"clientConfig", "caBundle"}).empty()) findings.add("webhook-ca-missing", subject, called);
  }
}

std::string calling_configuration(const controller::WebhookConfiguration& desired, json::View list,
                                  const std::string& ns) {
  const auto document = json::Document::parse(desired.json);
  KEELSON_ASSERT(document.has_value());
  for (const auto configuration : list.find("items").items()) {
    for (const auto webhook : configuration.find("webhooks").items()) {
      const auto service = webhook.at({"clientConfig", "service"});
      if (text_at(service, {"namespace"}) != ns) continue;
      for (const auto expected : document->root().find("webhooks").items()) {
        const bool is_same = text_at(expected, {"clientConfig", "service", "path"}) == text_at(service, {"path"});
        if (is_same) return text_at(configuration, {"metadata", "name"});
      }
    }
  }
  return "";
}

std::optional<CalledService> called_service(json::View configuration) {
  const auto service = configuration.find("webhooks").item(0).at({"clientConfig", "service"});
  if (!service.is_object()) return std::nullopt;
  return CalledService{text_at(service, {"namespace"}), text_at(service, {"name"})};
}

void check_webhook_service(const CalledService& called, const Reading& service, const Reading& slices,
                           Findings& findings) {
  const auto subject = "services/" + called.name;
  if (!service) {
    return findings.add_unread(Area::kWebhooks, service.error(), "webhook-service-missing", subject,
                               called.ns + "/" + called.name);
  }
  if (text_at(service->root(), {"spec", "type"}) == "ExternalName") return;
  if (!slices) {
    findings.add_unreadable(Area::kWebhooks, slices.error());
  } else if (!has_ready_endpoint(slices->root())) {
    findings.add("webhook-no-endpoints", subject);
  }
}

std::string ca_bundle_of(json::View configuration) {
  auto pem = base::base64_decode(text_at(configuration.find("webhooks").item(0), {"clientConfig", "caBundle"}));
  return pem ? std::move(*pem) : "";
}

void check_certificate(const std::string& name, const Reading& secret, const std::string& ca_bundle,
                       const CalledService& called, async::WallTime now, Findings& findings) {
  const auto subject = "secrets/" + name;
  if (!secret) return findings.add_unread(Area::kWebhooks, secret.error(), "webhook-secret-missing", subject);
  const auto certificate = decoded(secret->root(), "tls.crt");
  const auto key = decoded(secret->root(), "tls.key");
  const auto chain = certificates_in(certificate);
  const bool has_intermediates = chain.size() > 1;
  auto authorities = certificates_in(decoded(secret->root(), "ca.crt"));
  const auto trusted = certificates_in(ca_bundle);
  authorities.insert(authorities.end(), trusted.begin(), trusted.end());
  if (has_intermediates) authorities.insert(authorities.end(), chain.begin() + 1, chain.end());
  if (authorities.empty() && !certificate.empty()) return;  // webhook-ca-missing is the finding
  const auto facts = examine_by_any(has_intermediates ? chain.front() : certificate, key, authorities);
  if (!facts) {
    findings.add("webhook-certificate-invalid", subject, facts.error().message());
    return;
  }
  if (!has_intermediates && !trusted.empty() && !examine_by_any(certificate, key, trusted)) {
    findings.add("webhook-ca-mismatch", subject);
  }
  if (!is_for(*facts, called)) {
    findings.add("webhook-certificate-name", subject,
                 "valid for " + base::join(facts->names, ", ") + ", not " + called.name + "." + called.ns + ".svc");
  }
  check_dates(*facts, subject, now, findings);
}

Requests dry_run_calls(const Examined& examined, const std::string& ns) {
  Requests calls;
  for (const auto& kind : controller::kinds_of(examined.controllers)) {
    const bool is_reviewed = std::ranges::any_of(
        examined.webhooks, [&](const auto& webhook) { return webhook.resource() == kind.resource; });
    if (!is_reviewed) continue;
    auto object = object_to_create(kind);
    if (!object) continue;
    auto create = get_of(kind.resource, kind.resource.namespaced ? ns : "", "");
    create.verb = kube::Verb::kCreate;
    create.body = std::move(*object);
    // Shorter than the time of the request, so that the API server reports a webhook that does not answer.
    create.query = {{"timeout", "8s"}};
    kube::make_dry_run(create);
    calls.emplace_back(std::move(create));
  }
  return calls;
}

void check_call(const Examined& examined, const Request& call, Findings& findings) {
  if (call.reply) return;
  const auto& error = call.reply.error();
  const auto& text = error.server_text;
  // A denial, and the rejection of an invalid object or one over a quota, are answers.
  const auto failed = failed_webhook(text);
  const bool is_ours =
      std::ranges::any_of(examined.webhooks, [&](const auto& webhook) { return webhook.name() == failed; });
  if (is_ours) {
    findings.add("webhook-call-failed", call.request.resource.qualified_plural(), text);
    return;
  }
  const bool is_missing_kind = kube::is_not_found(error);  // finding crd-missing
  // By a quota, or because the namespace is being deleted: no permission is missing.
  const bool is_refused_for_now =
      kube::is_forbidden(error) && text.find(" cannot create resource ") == std::string::npos;
  const bool is_answer = text.find("denied the request") != std::string::npos || kube::is_invalid(error);
  if (!is_missing_kind && !is_refused_for_now && !is_answer) findings.add_unreadable(Area::kWebhooks, error);
}

}  // namespace keelson::doctor
