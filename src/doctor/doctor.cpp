#include "keelson/doctor/doctor.hpp"

#include <algorithm>
#include <optional>

#include "keelson/controller/webhook_configurations.hpp"
#include "src/doctor/deployment_check.hpp"
#include "src/doctor/kinds_check.hpp"
#include "src/doctor/lease_check.hpp"
#include "src/doctor/limits.hpp"
#include "src/doctor/metrics_check.hpp"
#include "src/doctor/object_check.hpp"
#include "src/doctor/permission_check.hpp"
#include "src/doctor/reader.hpp"
#include "src/doctor/server_check.hpp"
#include "src/doctor/webhook_check.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// A holder renews its lease every two seconds.
constexpr std::chrono::milliseconds kLeaseObservation{2500};

const char* const kRbac = "rbac.authorization.k8s.io";

kube::Resource endpoint_slices() { return {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"}; }

kube::ApiRequest slices_of(const std::string& ns, const std::string& service) {
  return list_of(endpoint_slices(), ns, {{"labelSelector", "kubernetes.io/service-name=" + service}});
}

Query sample() { return {{"limit", std::to_string(limits::kSampledObjects)}}; }

// One run of all checks.
class Examination {
 public:
  Examination(kube::Client& client, async::Clock& clock, Examined examined)
      : examined_(std::move(examined)), reader_(client, clock), clock_(clock) {}
  Examination(const Examination&) = delete;
  Examination& operator=(const Examination&) = delete;

  [[nodiscard]] awaitable<Report> run();

 private:
  [[nodiscard]] awaitable<void> examine_deployment();
  void choose_deployment(const Reading& list);
  void apply_flags();
  [[nodiscard]] awaitable<void> examine_kinds();
  [[nodiscard]] awaitable<void> examine_permissions();
  [[nodiscard]] awaitable<std::vector<Reading>> review_access(std::vector<kube::ApiRequest> reviews);
  [[nodiscard]] awaitable<void> examine_roles(std::set<NeededPermission> needed);
  [[nodiscard]] awaitable<void> add_bindings(const char* kind, const char* plural, std::set<BoundRole>& roles);
  [[nodiscard]] awaitable<void> examine_webhooks();
  [[nodiscard]] awaitable<void> examine_registration();
  [[nodiscard]] awaitable<void> call_webhooks();
  [[nodiscard]] awaitable<void> examine_metrics();
  [[nodiscard]] awaitable<void> examine_watches();
  [[nodiscard]] awaitable<void> examine_writers();
  [[nodiscard]] awaitable<void> examine_objects();
  [[nodiscard]] awaitable<void> begin_lease();
  [[nodiscard]] awaitable<void> end_lease();

  [[nodiscard]] async::WallTime server_now() const { return clock_.wall_now() + ahead_; }
  [[nodiscard]] std::vector<std::string> namespaces() const;

  Examined examined_;
  Reader reader_;
  async::Clock& clock_;
  Report report_;
  async::Duration ahead_{};  // of the API server's clock
  Reading deployments_ = malformed_error("not read");
  json::View deployment_;  // of deployments_; absent if there is none
  Deployed deployed_;
  Reading pods_ = malformed_error("not read");
  DeployedFlags flags_;
  std::optional<LeaseFacts> lease_;
  async::TimePoint lease_begun_;
};

awaitable<Report> Examination::run() {
  report_.program = examined_.program;
  report_.version = examined_.version;
  report_.server = examined_.server;
  report_.ns = examined_.ns.empty() ? examined_.default_ns : examined_.ns;
  auto answer = co_await reader_.server();
  const auto now = clock_.wall_now();
  if (const auto date = parse_http_date(answer.date)) ahead_ = *date - now;
  if (check_server(answer, now, report_.findings)) {
    co_await examine_deployment();
    co_await begin_lease();
    co_await examine_kinds();
    co_await examine_permissions();
    co_await examine_webhooks();
    co_await examine_metrics();
    co_await examine_watches();
    co_await examine_writers();
    co_await examine_objects();
    co_await end_lease();
  }
  co_return std::move(report_);
}

awaitable<void> Examination::examine_deployment() {
  auto query = sample();
  if (examined_.ns.empty()) query.emplace_back("labelSelector", kManagerLabel);
  deployments_ = co_await reader_.one(list_of(kube::deployments(), examined_.ns, std::move(query)));
  choose_deployment(deployments_);
  apply_flags();
  auto& findings = report_.findings;
  if (!deployment_.is_absent()) {
    report_.ns = deployed_.ns;
    report_.deployment = deployed_.name;
    pods_ = co_await reader_.one(list_of(kube::pods(), deployed_.ns, {{"labelSelector", deployed_.pod_selector}}));
    check_deployment(deployment_, examined_.version, findings);
    if (pods_) check_pods(deployment_, pods_->root(), findings);
    if (!pods_) findings.add_unreadable(Area::kDeployment, pods_.error());
  }
  const auto space = co_await reader_.one(get_of({"", "v1", "Namespace", "namespaces", false}, "", report_.ns));
  if (!space) {
    findings.add_unreadable(Area::kDeployment, space.error());
  } else if (text_at(space->root(), {"status", "phase"}) == "Terminating") {
    findings.add("namespace-terminating", "namespaces/" + report_.ns);
  }
}

void Examination::choose_deployment(const Reading& list) {
  auto& findings = report_.findings;
  if (!list) {
    findings.add_unreadable(Area::kDeployment, list.error());
    return;
  }
  const auto found = deployments_of(list->root(), examined_.name);
  if (found.empty()) {
    findings.add("manager-not-deployed", "", examined_.ns.empty() ? "" : "namespace " + examined_.ns);
    findings.summarize(Area::kDeployment, "none");
    return;
  }
  const auto is_preferred = [this](json::View view) { return text_at(view, {"metadata", "namespace"}) == report_.ns; };
  const auto preferred = std::find_if(found.begin(), found.end(), is_preferred);
  deployment_ = preferred == found.end() ? found.front() : *preferred;
  deployed_ = describe_deployment(deployment_);
  for (const auto other : found) {
    const auto ns = text_at(other, {"metadata", "namespace"});
    const auto name = text_at(other, {"metadata", "name"});
    if (ns == deployed_.ns && name == deployed_.name) continue;
    findings.add("several-deployments", "deployments/" + deployed_.name, "also " + ns + "/" + name);
  }
}

// Without a Deployment the flags have their defaults.
void Examination::apply_flags() {
  auto flags = examined_.parse_flags(deployed_.manager);
  if (!deployment_.is_absent()) check_flags(deployed_, flags, report_.findings);
  if (!flags) flags = examined_.parse_flags({});
  if (flags) flags_ = std::move(*flags);
  const auto is_selected = [this](const controller::Definition& definition) {
    return std::find(flags_.controllers.begin(), flags_.controllers.end(), definition.name()) !=
           flags_.controllers.end();
  };
  std::erase_if(examined_.controllers, [&](const auto& definition) { return !is_selected(definition); });
  examined_.webhooks = controller::webhooks_of(examined_.controllers, examined_.webhooks);
}

std::vector<std::string> Examination::namespaces() const {
  auto namespaces = flags_.watch_namespaces;
  if (namespaces.empty()) namespaces.emplace_back();
  if (namespaces.size() > limits::kReviewedNamespaces) namespaces.resize(limits::kReviewedNamespaces);
  return namespaces;
}

awaitable<void> Examination::examine_kinds() {
  const auto kinds = controller::kinds_of(examined_.controllers);
  std::vector<kube::ApiRequest> requests;
  for (const auto& kind : kinds) {
    requests.push_back(get_of(kube::custom_resource_definitions(), "", kind.resource.qualified_plural()));
  }
  const auto replies = co_await reader_.all(std::move(requests));
  for (std::size_t i = 0; i < kinds.size(); ++i) check_kind(kinds[i], replies[i], report_.findings);
  report_.findings.summarize(Area::kKinds, std::to_string(kinds.size()) + " CustomResourceDefinitions");
}

awaitable<void> Examination::examine_permissions() {
  if (!deployments_) {
    report_.findings.add_unreadable(Area::kPermissions, deployments_.error());
    report_.findings.summarize(Area::kPermissions, "the manager's service account is unknown");
    co_return;
  }
  const auto lease_ns = flags_.lease_namespace.empty() ? report_.ns : flags_.lease_namespace;
  const auto needed = needed_permissions(examined_, flags_, report_.ns, lease_ns, deployed_.proxy_port.has_value());
  auto account = deployed_.account;
  if (!account.empty()) {
    const auto self =
        co_await reader_.one(review_of("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews",
                                       R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"));
    const auto user = self ? text_at(self->root(), {"status", "userInfo", "username"}) : std::string();
    if (user == "system:serviceaccount:" + deployed_.ns + ":" + account) account.clear();
  }
  std::vector<kube::ApiRequest> reviews;
  for (const auto& permission : needed) reviews.push_back(access_review(permission, report_.ns, account));
  const auto replies = co_await review_access(std::move(reviews));
  check_needed(needed, replies, report_.findings);
  if (!deployment_.is_absent()) co_await examine_roles(needed);
}

// If the first review fails, the others would fail as well.
awaitable<std::vector<Reading>> Examination::review_access(std::vector<kube::ApiRequest> reviews) {
  std::vector<Reading> replies;
  if (reviews.empty()) co_return replies;
  const auto count = reviews.size();
  auto first = co_await reader_.one(reviews.front());
  if (!first) {
    while (replies.size() < count) replies.emplace_back(first.error());
    co_return replies;
  }
  replies = co_await reader_.all(std::move(reviews));
  co_return replies;
}

awaitable<void> Examination::examine_roles(std::set<NeededPermission> needed) {
  std::set<BoundRole> roles;
  co_await add_bindings("ClusterRoleBinding", "clusterrolebindings", roles);
  co_await add_bindings("RoleBinding", "rolebindings", roles);
  std::vector<kube::ApiRequest> requests;
  for (const auto& role : roles) {
    const bool is_namespaced = role.kind == "Role";
    requests.push_back(
        get_of({kRbac, "v1", role.kind, is_namespaced ? "roles" : "clusterroles", is_namespaced}, role.ns, role.name));
  }
  const auto replies = co_await reader_.all(std::move(requests));
  auto reply = replies.begin();
  for (const auto& role : roles) {
    const auto& reading = *reply++;
    if (reading) {
      check_role(role, reading->root(), needed, report_.findings);
    } else if (!kube::is_not_found(reading.error())) {
      report_.findings.add_unreadable(Area::kPermissions, reading.error());
    }
  }
}

awaitable<void> Examination::add_bindings(const char* kind, const char* plural, std::set<BoundRole>& roles) {
  std::string token;
  for (int page = 0; page < limits::kBindingsPages; ++page) {
    Query query = {{"limit", std::to_string(limits::kBindingsPage)}};
    if (!token.empty()) query.emplace_back("continue", token);
    const auto list = co_await reader_.one(list_of({kRbac, "v1", kind, plural}, "", std::move(query)));
    if (!list) {
      report_.findings.add_unreadable(Area::kPermissions, list.error());
      co_return;
    }
    add_bound_roles(list->root(), deployed_.ns, deployed_.account, roles);
    token = text_at(list->root(), {"metadata", "continue"});
    if (token.empty()) co_return;
  }
}

awaitable<void> Examination::examine_webhooks() {
  auto& findings = report_.findings;
  if (examined_.webhooks.empty() || deployment_.is_absent()) {
    findings.summarize(Area::kWebhooks, examined_.webhooks.empty() ? "none" : "not examined without a Deployment");
    co_return;
  }
  findings.summarize(Area::kWebhooks, std::to_string(examined_.webhooks.size()) + " webhooks");
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
  const auto name_in_cluster = [this](const controller::WebhookConfiguration& configuration) {
    const bool is_mutating = configuration.resource.plural.starts_with("mutating");
    return is_mutating ? flags_.mutating_configuration : flags_.validating_configuration;
  };
  std::vector<kube::ApiRequest> requests;
  for (const auto& configuration : desired) {
    requests.push_back(get_of(configuration.resource, "", name_in_cluster(configuration)));
  }
  const auto registered = co_await reader_.all(std::move(requests));
  std::optional<CalledService> called;
  std::string ca_bundle;
  for (std::size_t i = 0; i < desired.size(); ++i) {
    check_configuration(desired[i], name_in_cluster(desired[i]), registered[i], findings);
    if (!registered[i] || called) continue;
    called = called_service(registered[i]->root());
    ca_bundle = ca_bundle_of(registered[i]->root());
  }
  if (!called) co_return;
  auto secret = flags_.webhook_secret;
  if (flags_.webhooks == DeployedFlags::Webhooks::kFiles)
    secret = deployed_.manager.secrets[flags_.webhook_cert_folder];
  requests = {};
  requests.push_back(get_of(kube::services(), called->ns, called->name));
  requests.push_back(slices_of(called->ns, called->name));
  if (!secret.empty()) requests.push_back(get_of(kube::secrets(), deployed_.ns, secret));
  const auto replies = co_await reader_.all(std::move(requests));
  check_webhook_service(*called, replies[0], replies[1], findings);
  if (replies.size() > 2) check_certificate(secret, replies[2], ca_bundle, *called, server_now(), findings);
}

awaitable<void> Examination::call_webhooks() {
  const auto calls = dry_run_calls(examined_, report_.ns);
  std::vector<kube::ApiRequest> requests;
  for (const auto& call : calls) requests.push_back(call.request);
  const auto replies = co_await reader_.all(std::move(requests));
  for (std::size_t i = 0; i < calls.size(); ++i) check_call(calls[i], replies[i], report_.findings);
}

awaitable<void> Examination::examine_metrics() {
  auto& findings = report_.findings;
  if (deployment_.is_absent()) co_return;
  const auto port = metrics_port(deployed_, flags_, findings);
  if (!port) co_return;
  const auto services = co_await reader_.one(list_of(kube::services(), deployed_.ns, sample()));
  if (!services) {
    findings.add_unreadable(Area::kMetrics, services.error());
    co_return;
  }
  const auto service = metrics_service(deployed_, *port, services->root(), findings);
  if (service.empty()) co_return;
  const auto slices = co_await reader_.one(slices_of(deployed_.ns, service));
  check_metrics_endpoints(service, *port, slices, findings);
}

awaitable<void> Examination::examine_watches() {
  auto& findings = report_.findings;
  if (examined_.controllers.empty()) co_return;
  const auto probe = co_await reader_.probe_watch(examined_.controllers.front().resource());
  if (!probe.opened) {
    const auto& error = probe.opened.error();
    // The CustomResourceDefinition is missing.
    if (kube::is_not_found(error)) co_return;
    if (error.kind == Error::Kind::kStatus && (error.code == 400 || error.code == 422)) {
      findings.add("lists-not-streamed");
      findings.summarize(Area::kWatches, "plain lists");
    } else {
      findings.add_unreadable(Area::kWatches, error);
    }
    co_return;
  }
  if (!probe.ends_list) findings.add("watch-without-bookmarks");
  findings.summarize(Area::kWatches, probe.ends_list ? "lists are streamed, watches have bookmarks" : "");
}

awaitable<void> Examination::examine_writers() {
  std::vector<kube::Resource> owners;
  std::vector<kube::Resource> children;
  for (const auto& definition : examined_.controllers) {
    owners.push_back(definition.resource());
    for (const auto& source : definition.sources()) {
      const bool is_known = std::find(children.begin(), children.end(), source.resource) != children.end();
      if (source.is_owned && !is_known) children.push_back(source.resource);
    }
  }
  std::vector<kube::ApiRequest> requests;
  std::vector<kube::Resource> listed;
  for (const auto& child : children) {
    for (const auto& ns : namespaces()) {
      requests.push_back(list_of(child, ns, sample()));
      requests.back().content = kube::Content::kMetadata;
      listed.push_back(child);
    }
  }
  const auto replies = co_await reader_.all(std::move(requests));
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (replies[i]) {
      check_writers(listed[i], replies[i]->root(), owners, examined_.name, report_.findings);
    } else if (!kube::is_not_found(replies[i].error())) {
      report_.findings.add_unreadable(Area::kWriters, replies[i].error());
    }
  }
  report_.findings.summarize(Area::kWriters, std::to_string(children.size()) + " kinds of children");
}

awaitable<void> Examination::examine_objects() {
  std::vector<kube::ApiRequest> requests;
  std::vector<kube::Resource> listed;
  for (const auto& definition : examined_.controllers) {
    if (definition.is_of_existing_kind()) continue;
    for (const auto& ns : namespaces()) {
      requests.push_back(list_of(definition.resource(), ns, sample()));
      listed.push_back(definition.resource());
    }
  }
  const auto replies = co_await reader_.all(std::move(requests));
  std::size_t examined = 0;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (replies[i]) {
      const auto list = replies[i]->root();
      examined += list.find("items").size();
      check_objects(listed[i], list, examined_.name, server_now(), report_.findings);
    } else if (!kube::is_not_found(replies[i].error())) {
      report_.findings.add_unreadable(Area::kObjects, replies[i].error());
    }
  }
  report_.findings.summarize(Area::kObjects, std::to_string(examined) + " objects were examined");
}

awaitable<void> Examination::begin_lease() {
  const bool has_deployment = !deployment_.is_absent();
  const auto replicas = static_cast<int>(deployment_.at({"spec", "replicas"}).integer().value_or(has_deployment));
  if (has_deployment && !flags_.leader_elect) {
    if (replicas > 1) report_.findings.add("replicas-without-lease", "deployments/" + deployed_.name);
    report_.findings.summarize(Area::kLease, "leader election is off");
    co_return;
  }
  lease_.emplace(LeaseFacts{.ns = flags_.lease_namespace.empty() ? report_.ns : flags_.lease_namespace,
                            .name = flags_.lease_name,
                            .first = malformed_error("not read"),
                            .second = malformed_error("not read"),
                            .of_all_namespaces = malformed_error("not read"),
                            .pods = {},
                            .has_deployment = has_deployment,
                            .replicas = replicas,
                            .now = {}});
  for (const auto pod : pods_ ? pods_->root().find("items").items() : json::Items()) {
    lease_->pods.push_back(text_at(pod, {"metadata", "name"}));
  }
  lease_->first = co_await reader_.one(get_of(kube::leases(), lease_->ns, lease_->name));
  lease_begun_ = clock_.now();
}

awaitable<void> Examination::end_lease() {
  if (!lease_) co_return;
  if (lease_->first) co_await async::sleep_until(clock_, lease_begun_ + kLeaseObservation);
  std::vector<kube::ApiRequest> requests;
  requests.push_back(get_of(kube::leases(), lease_->ns, lease_->name));
  requests.push_back(list_of(kube::leases(), "", {{"fieldSelector", "metadata.name=" + lease_->name}}));
  auto replies = co_await reader_.all(std::move(requests));
  lease_->second = std::move(replies[0]);
  lease_->of_all_namespaces = std::move(replies[1]);
  lease_->now = server_now();
  check_lease(*lease_, report_.findings);
}

}  // namespace

awaitable<Report> examine(kube::Client& client, async::Clock& clock, Examined examined) {
  Examination examination(client, clock, std::move(examined));
  auto report = co_await examination.run();
  co_return report;
}

}  // namespace keelson::doctor
