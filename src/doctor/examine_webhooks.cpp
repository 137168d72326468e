#include "src/doctor/examination.hpp"

#include <utility>

#include "src/doctor/webhooks.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

awaitable<void> Examination::examine_webhooks() {
  auto& findings = report_.findings;
  if (examined_.webhooks.empty() || !has_deployment() || !has_flags_) {
    if (examined_.webhooks.empty()) {
      findings.summarize(Area::kWebhooks, "none");
    } else {
      findings.skip(Area::kWebhooks, "not examined without a Deployment and its arguments");
    }
    co_return;
  }
  findings.summarize(Area::kWebhooks, std::to_string(examined_.webhooks.size()) + " webhooks");
  if (flags_.are_in_file) {
    co_await call_webhooks();
    co_return;
  }
  if (flags_.webhooks == DeployedFlags::Webhooks::kOff) {
    findings.add("webhooks-off", "deployments/" + deployed_.name, flags_.webhooks_off_because);
    co_return;
  }
  if (flags_.webhooks != DeployedFlags::Webhooks::kUrl) co_await examine_registration();
  co_await call_webhooks();
}

awaitable<void> Examination::examine_registration() {
  auto& findings = report_.findings;
  const auto desired = desired_configurations(examined_);
  std::vector<std::string> names;
  for (const auto& configuration : desired) {
    const bool is_mutating = configuration.resource.plural.starts_with("mutating");
    names.push_back(is_mutating ? flags_.mutating_configuration : flags_.validating_configuration);
  }
  if (flags_.webhooks == DeployedFlags::Webhooks::kFiles) co_await find_configurations(desired, names);
  Requests registered;
  for (std::size_t i = 0; i < desired.size(); ++i) {
    registered.emplace_back(get_of(desired[i].resource, "", names[i]));
  }
  co_await reader_.read(registered);
  std::optional<CalledService> called;
  std::string ca_bundle;
  for (std::size_t i = 0; i < desired.size(); ++i) {
    const auto& reading = registered[i].reply;
    check_configuration(desired[i], registered[i].request.key.name, reading, findings);
    if (!reading || called) continue;
    called = called_service(reading->root());
    ca_bundle = ca_bundle_of(reading->root());
  }
  if (!called) co_return;
  auto secret = flags_.webhook_secret;
  if (flags_.webhooks == DeployedFlags::Webhooks::kFiles) {
    secret = deployed_.manager.secrets[flags_.webhook_cert_folder];
  }
  Requests parts;
  parts.emplace_back(get_of(kube::services(), called->ns, called->name));
  parts.emplace_back(slices_of(called->ns, called->name));
  if (!secret.empty()) parts.emplace_back(get_of(kube::secrets(), deployed_.ns, secret));
  co_await reader_.read(parts);
  check_webhook_service(*called, parts[0].reply, parts[1].reply, findings);
  if (!secret.empty()) check_certificate(secret, parts[2].reply, ca_bundle, *called, server_now(), findings);
}

// Only a manager with a certificate of its own uses the names in its flags; otherwise kustomize chooses the names.
awaitable<void> Examination::find_configurations(const std::vector<controller::WebhookConfiguration>& desired,
                                                 std::vector<std::string>& names) {
  Requests lists;
  for (const auto& configuration : desired) lists.emplace_back(list_of(configuration.resource, "", sample()));
  co_await reader_.read(lists);
  for (std::size_t i = 0; i < desired.size(); ++i) {
    if (!lists[i].reply) continue;  // the read by name remains
    auto name = calling_configuration(desired[i], lists[i].reply->root(), deployed_.ns);
    if (!name.empty()) names[i] = std::move(name);
  }
}

awaitable<void> Examination::call_webhooks() {
  auto calls = dry_run_calls(examined_, report_.ns);
  co_await reader_.read(calls);
  for (const auto& call : calls) check_call(examined_, call, report_.findings);
}

}  // namespace keelson::doctor
