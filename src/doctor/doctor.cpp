#include "keelson/doctor/doctor.hpp"

#include <algorithm>
#include <functional>
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

bool are_disjoint(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  return std::find_first_of(left.begin(), left.end(), right.begin(), right.end()) == left.end();
}

// Two managers with these flags reconcile different objects.
bool are_separate(const DeployedFlags& left, const DeployedFlags& right) {
  if (left.are_in_file || right.are_in_file) return false;
  const auto& namespaces = left.watch_namespaces;
  const auto& others = right.watch_namespaces;
  return are_disjoint(left.controllers, right.controllers) ||
         (!namespaces.empty() && !others.empty() && are_disjoint(namespaces, others));
}

// A kind whose CustomResourceDefinition is missing has a finding, and so has a role that was just deleted.
void add_unless_missing(Area area, const Reading& reading, Findings& findings) {
  if (!reading && !kube::is_not_found(reading.error())) findings.add_unreadable(area, reading.error());
}

// One run of all checks.
class Examination {
 public:
  Examination(kube::Client& client, async::Clock& clock, Examined examined, Report& report)
      : examined_(std::move(examined)), reader_(client, clock), clock_(clock), report_(report) {}
  Examination(const Examination&) = delete;
  Examination& operator=(const Examination&) = delete;

  [[nodiscard]] awaitable<void> run();

 private:
  [[nodiscard]] awaitable<void> examine_deployment();
  // Reads pages of a list until the last one, a failed one, which is the last element then, or a limit.
  [[nodiscard]] awaitable<void> read_pages(kube::Resource resource, std::string ns, Query query, Requests& pages);
  void choose_deployment();
  void apply_flags();
  void compare_other_deployments();
  [[nodiscard]] awaitable<void> examine_kinds();
  [[nodiscard]] awaitable<void> examine_permissions();
  [[nodiscard]] awaitable<void> examine_roles();
  [[nodiscard]] awaitable<void> add_bindings(const char* kind, const char* plural, std::set<BoundRole>& roles);
  [[nodiscard]] awaitable<void> examine_webhooks();
  [[nodiscard]] awaitable<void> examine_registration();
  [[nodiscard]] awaitable<void> find_configurations(const std::vector<controller::WebhookConfiguration>& desired,
                                                    std::vector<std::string>& names);
  [[nodiscard]] awaitable<void> call_webhooks();
  [[nodiscard]] awaitable<void> examine_metrics();
  [[nodiscard]] awaitable<void> examine_watches();
  [[nodiscard]] awaitable<void> examine_writers();
  [[nodiscard]] awaitable<void> examine_objects();
  [[nodiscard]] awaitable<void> begin_lease();
  [[nodiscard]] awaitable<void> end_lease();

  [[nodiscard]] async::WallTime server_now() const { return clock_.wall_now() + ahead_; }
  [[nodiscard]] bool has_deployment() const { return !deployment_.is_absent(); }
  [[nodiscard]] std::string lease_namespace() const;
  // Lists a sample of the resources, in each namespace that the manager watches.
  [[nodiscard]] Requests lists_of(const std::vector<kube::Resource>& resources, kube::Content content) const;

  Examined examined_;
  Reader reader_;
  async::Clock& clock_;
  Report& report_;
  async::Duration ahead_{};                       // of the API server's clock
  Requests deployments_;                          // pages of a list; only the last one may have failed
  json::View deployment_;                         // of deployments_; absent if there is none
  std::vector<json::View> others_;                // the other Deployments of the operator
  std::vector<std::string> separate_namespaces_;  // of the leases of those that reconcile other objects
  Deployed deployed_;
  Requests pods_;
  DeployedFlags flags_;
  bool has_flags_ = true;  // false: the manager does not accept its arguments, and flags_ has the defaults
  std::set<NeededPermission> needed_;
  std::set<NeededPermission> useful_;  // with other flags, too
  std::optional<LeaseFacts> lease_;
  async::TimePoint lease_begun_;
};

awaitable<void> Examination::run() {
  report_.program = examined_.program;
  report_.version = examined_.version;
  report_.server = examined_.server;
  report_.ns = examined_.ns.empty() ? examined_.default_ns : examined_.ns;
  kube::ApiRequest version;
  version.raw_path = "/version";
  StreamedReply answer;
  co_await reader_.stream(std::move(version), nullptr, answer);
  const auto now = clock_.wall_now();
  if (const auto date = parse_http_date(answer.date)) ahead_ = *date - now;
  if (!check_server(answer, now, report_.findings)) co_return;
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

awaitable<void> Examination::examine_deployment() {
  auto query = sample();
  if (examined_.ns.empty()) query.emplace_back("labelSelector", kManagerLabel);
  co_await read_pages(kube::deployments(), examined_.ns, std::move(query), deployments_);
  choose_deployment();
  apply_flags();
  compare_other_deployments();
  auto& findings = report_.findings;
  pods_.emplace_back(get_of({"", "v1", "Namespace", "namespaces", false}, "", report_.ns));
  if (has_deployment()) {
    auto of_deployment = sample();
    of_deployment.emplace_back("labelSelector", deployed_.pod_selector);
    pods_.emplace_back(list_of(kube::pods(), deployed_.ns, std::move(of_deployment)));
  }
  co_await reader_.read(pods_);
  const auto& space = pods_.front().reply;
  if (space && !text_at(space->root(), {"metadata", "deletionTimestamp"}).empty()) {
    findings.add("namespace-terminating", "namespaces/" + report_.ns);
  }
  for (const auto& pods : pods_) {
    if (!pods.reply) findings.add_unreadable(Area::kDeployment, pods.reply.error());
  }
  if (!has_deployment()) co_return;
  check_deployment(deployment_, examined_.version, findings);
  if (pods_.back().reply) check_pods(deployment_, pods_.back().reply->root(), server_now(), findings);
}

awaitable<void> Examination::read_pages(kube::Resource resource, std::string ns, Query query, Requests& pages) {
  std::string token;
  for (int number = 0; number < limits::kSearchedPages; ++number) {
    auto of_page = query;
    if (!token.empty()) of_page.emplace_back("continue", token);
    Requests page;
    page.emplace_back(list_of(resource, ns, std::move(of_page)));
    co_await reader_.read(page);
    pages.push_back(std::move(page.front()));
    const auto& reading = pages.back().reply;
    token = reading ? text_at(reading->root(), {"metadata", "continue"}) : "";
    if (token.empty()) co_return;
  }
}

void Examination::choose_deployment() {
  auto& findings = report_.findings;
  const auto& last = deployments_.back().reply;
  if (!last) {
    findings.add_unreadable(Area::kDeployment, last.error());
    return;
  }
  std::vector<json::View> found;
  for (const auto& page : deployments_) {
    const auto of_page = deployments_of(page.reply->root(), examined_.name);
    found.insert(found.end(), of_page.begin(), of_page.end());
  }
  if (found.empty()) {
    findings.add("manager-not-deployed", "", examined_.ns.empty() ? "" : "namespace " + examined_.ns);
    return;
  }
  // A Deployment with kubebuilder's label is the manager; the operator may have others in its namespace.
  const auto is_manager = [](json::View view) {
    return text_at(view, {"metadata", "labels", "control-plane"}) == "controller-manager";
  };
  if (std::any_of(found.begin(), found.end(), is_manager)) std::erase_if(found, std::not_fn(is_manager));
  const auto is_preferred = [this](json::View view) { return text_at(view, {"metadata", "namespace"}) == report_.ns; };
  const auto preferred = std::find_if(found.begin(), found.end(), is_preferred);
  deployment_ = preferred == found.end() ? found.front() : *preferred;
  deployed_ = describe_deployment(deployment_);
  report_.ns = deployed_.ns;
  report_.deployment = deployed_.name;
  for (const auto other : found) {
    const bool is_chosen = text_at(other, {"metadata", "namespace"}) == deployed_.ns &&
                           text_at(other, {"metadata", "name"}) == deployed_.name;
    if (!is_chosen) others_.push_back(other);
  }
}

// Two managers may work in one cluster if no object is of both.
void Examination::compare_other_deployments() {
  for (const auto view : others_) {
    const auto other = describe_deployment(view);
    const auto flags = examined_.parse_flags(other.manager);
    if (flags && has_flags_ && are_separate(flags_, *flags)) {
      separate_namespaces_.push_back(flags->lease_namespace.empty() ? other.ns : flags->lease_namespace);
    } else {
      report_.findings.add("several-deployments", "deployments/" + deployed_.name,
                           "also " + other.ns + "/" + other.name);
    }
  }
}

// Without a Deployment the flags have their defaults.
void Examination::apply_flags() {
  auto flags = examined_.parse_flags(deployed_.manager);
  if (has_deployment()) check_flags(deployed_, flags, report_.findings);
  has_flags_ = flags.has_value();
  if (!flags) flags = examined_.parse_flags({});
  if (flags) flags_ = std::move(*flags);
  useful_ = useful_permissions(examined_);
  const auto& selected = flags_.controllers;
  std::erase_if(examined_.controllers, [&](const auto& definition) {
    return std::find(selected.begin(), selected.end(), definition.name()) == selected.end();
  });
  examined_.webhooks = controller::webhooks_of(examined_.controllers, examined_.webhooks);
}

std::string Examination::lease_namespace() const {
  return flags_.lease_namespace.empty() ? report_.ns : flags_.lease_namespace;
}

Requests Examination::lists_of(const std::vector<kube::Resource>& resources, kube::Content content) const {
  auto namespaces = flags_.watch_namespaces;
  if (namespaces.empty()) namespaces.emplace_back();
  if (namespaces.size() > limits::kReviewedNamespaces) namespaces.resize(limits::kReviewedNamespaces);
  Requests lists;
  for (const auto& resource : resources) {
    for (const auto& ns : namespaces) {
      lists.emplace_back(list_of(resource, ns, sample()));
      lists.back().request.content = content;
    }
  }
  return lists;
}

awaitable<void> Examination::examine_kinds() {
  const auto kinds = controller::kinds_of(examined_.controllers);
  Requests definitions;
  for (const auto& kind : kinds) {
    definitions.emplace_back(get_of(kube::custom_resource_definitions(), "", kind.resource.qualified_plural()));
  }
  co_await reader_.read(definitions);
  for (std::size_t i = 0; i < kinds.size(); ++i) check_kind(kinds[i], definitions[i].reply, report_.findings);
  report_.findings.summarize(Area::kKinds, std::to_string(kinds.size()) + " CustomResourceDefinitions");
}

awaitable<void> Examination::examine_permissions() {
  auto& findings = report_.findings;
  if (!deployments_.back().reply) {
    findings.add_unreadable(Area::kPermissions, deployments_.back().reply.error());
    findings.summarize(Area::kPermissions, "the manager's service account is unknown");
    co_return;
  }
  needed_ = needed_permissions(examined_, flags_, report_.ns, lease_namespace(), deployed_.proxy_port.has_value());
  auto account = deployed_.account;
  Requests self;
  self.emplace_back(review_of("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews",
                              R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"));
  co_await reader_.read(self);
  const auto& user = self.front().reply;
  const auto manager = "system:serviceaccount:" + deployed_.ns + ":" + account;
  if (user && text_at(user->root(), {"status", "userInfo", "username"}) == manager) account.clear();
  // If the first review fails, the others would fail as well.
  Requests reviews;
  for (const auto& permission : needed_) {
    reviews.emplace_back(access_review(permission, report_.ns, account));
    if (reviews.size() > 1) continue;
    co_await reader_.read(reviews);
    if (!reviews.front().reply) break;
  }
  if (reviews.size() == needed_.size()) co_await reader_.read(reviews);
  check_needed(needed_, reviews, findings);
  if (has_deployment()) co_await examine_roles();
}

awaitable<void> Examination::examine_roles() {
  std::set<BoundRole> bound;
  co_await add_bindings("ClusterRoleBinding", "clusterrolebindings", bound);
  co_await add_bindings("RoleBinding", "rolebindings", bound);
  Requests roles;
  for (const auto& role : bound) {
    const bool is_namespaced = role.kind == "Role";
    roles.emplace_back(
        get_of({kRbac, "v1", role.kind, is_namespaced ? "roles" : "clusterroles", is_namespaced}, role.ns, role.name));
  }
  co_await reader_.read(roles);
  auto role = roles.begin();
  for (const auto& binding : bound) {
    const auto& reading = (role++)->reply;
    if (reading) check_role(binding, reading->root(), useful_, report_.findings);
    add_unless_missing(Area::kPermissions, reading, report_.findings);
  }
}

awaitable<void> Examination::add_bindings(const char* kind, const char* plural, std::set<BoundRole>& roles) {
  std::string token;
  for (int page = 0; page < limits::kBindingsPages; ++page) {
    Query query = {{"limit", std::to_string(limits::kBindingsPage)}};
    if (!token.empty()) query.emplace_back("continue", token);
    Requests list;
    list.emplace_back(list_of({kRbac, "v1", kind, plural}, "", std::move(query)));
    co_await reader_.read(list);
    const auto& reading = list.front().reply;
    if (!reading) {
      report_.findings.add_unreadable(Area::kPermissions, reading.error());
      co_return;
    }
    add_bound_roles(reading->root(), deployed_.ns, deployed_.account, roles);
    token = text_at(reading->root(), {"metadata", "continue"});
    if (token.empty()) co_return;
  }
}

awaitable<void> Examination::examine_webhooks() {
  auto& findings = report_.findings;
  if (examined_.webhooks.empty() || !has_deployment() || !has_flags_) {
    findings.summarize(Area::kWebhooks,
                       examined_.webhooks.empty() ? "none" : "not examined without a Deployment and its arguments");
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

awaitable<void> Examination::examine_metrics() {
  auto& findings = report_.findings;
  if (!has_deployment() || !has_flags_ || flags_.are_in_file) co_return;
  const auto port = metrics_port(deployed_, flags_, findings);
  if (!port) co_return;
  Requests services;
  co_await read_pages(kube::services(), deployed_.ns, sample(), services);
  if (!services.back().reply) {
    findings.add_unreadable(Area::kMetrics, services.back().reply.error());
    co_return;
  }
  std::string service;
  for (std::size_t i = 0; i < services.size() && service.empty(); ++i) {
    Findings of_page;  // that a page lacks the Service is a finding only on the last one
    const bool is_last = i + 1 == services.size();
    service = metrics_service(deployed_, *port, services[i].reply->root(), is_last ? findings : of_page);
  }
  if (service.empty()) co_return;
  Requests slices;
  slices.emplace_back(slices_of(deployed_.ns, service));
  co_await reader_.read(slices);
  check_metrics_endpoints(service, *port, slices.front().reply, findings);
}

awaitable<void> Examination::examine_watches() {
  if (examined_.controllers.empty()) co_return;
  auto request = get_of(examined_.controllers.front().resource(), "", "");
  request.verb = kube::Verb::kWatch;
  request.content = kube::Content::kMetadata;
  // No object has this name, so that the bookmark is the first event.
  request.query = {{"allowWatchBookmarks", "true"},
                   {"fieldSelector", "metadata.name=keelson-doctor"},
                   {"sendInitialEvents", "true"},
                   {"resourceVersionMatch", "NotOlderThan"},
                   {"timeoutSeconds", "2"}};
  StreamedReply watch;
  co_await reader_.stream(std::move(request), has_bookmark, watch);
  check_watch(watch, report_.findings);
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
  auto lists = lists_of(children, kube::Content::kMetadata);
  co_await reader_.read(lists);
  for (const auto& [request, reply] : lists) {
    if (reply) check_writers(request.resource, reply->root(), owners, examined_.name, report_.findings);
    add_unless_missing(Area::kWriters, reply, report_.findings);
  }
  report_.findings.summarize(Area::kWriters, std::to_string(children.size()) + " kinds of children");
}

awaitable<void> Examination::examine_objects() {
  std::vector<kube::Resource> own;
  for (const auto& definition : examined_.controllers) {
    if (!definition.is_of_existing_kind()) own.push_back(definition.resource());
  }
  auto lists = lists_of(own, kube::Content::kWhole);
  co_await reader_.read(lists);
  std::size_t examined = 0;
  for (const auto& [request, reply] : lists) {
    add_unless_missing(Area::kObjects, reply, report_.findings);
    if (!reply) continue;
    examined += reply->root().find("items").size();
    check_objects(request.resource, reply->root(), examined_.name, server_now(), report_.findings);
  }
  report_.findings.summarize(Area::kObjects, std::to_string(examined) + " objects were examined");
}

awaitable<void> Examination::begin_lease() {
  const auto replicas = static_cast<int>(deployment_.at({"spec", "replicas"}).integer().value_or(has_deployment()));
  if (has_deployment() && flags_.are_in_file) {
    report_.findings.summarize(Area::kLease, "not examined, the flags are in a file");
    co_return;
  }
  if (has_deployment() && !flags_.leader_elect) {
    if (replicas > 1) report_.findings.add("replicas-without-lease", "deployments/" + deployed_.name);
    report_.findings.summarize(Area::kLease, "leader election is off");
    co_return;
  }
  lease_.emplace();
  lease_->ns = lease_namespace();
  lease_->name = flags_.lease_name;
  lease_->has_deployment = has_deployment();
  lease_->replicas = replicas;
  lease_->separate_namespaces = separate_namespaces_;
  lease_->are_pods_known = has_deployment() && pods_.back().reply.has_value();
  if (lease_->are_pods_known) {
    for (const auto pod : pods_.back().reply->root().find("items").items()) {
      const bool is_in_host_network = pod.at({"spec", "hostNetwork"}).boolean().value_or(false);
      lease_->pods.push_back(is_in_host_network ? text_at(pod, {"spec", "nodeName"})
                                                : text_at(pod, {"metadata", "name"}));
    }
  }
  Requests first;
  first.emplace_back(get_of(kube::leases(), lease_->ns, lease_->name));
  co_await reader_.read(first);
  lease_->first = std::move(first.front().reply);
  lease_begun_ = clock_.now();
}

awaitable<void> Examination::end_lease() {
  if (!lease_) co_return;
  if (lease_->first) co_await async::sleep_until(clock_, lease_begun_ + kLeaseObservation);
  Requests second;
  second.emplace_back(get_of(kube::leases(), lease_->ns, lease_->name));
  auto of_name = sample();
  of_name.emplace_back("fieldSelector", "metadata.name=" + lease_->name);
  second.emplace_back(list_of(kube::leases(), "", std::move(of_name)));
  co_await reader_.read(second);
  lease_->second = std::move(second[0].reply);
  lease_->of_all_namespaces = std::move(second[1].reply);
  lease_->now = server_now();
  check_lease(*lease_, report_.findings);
}

}  // namespace

awaitable<void> examine(kube::Client& client, async::Clock& clock, Examined examined, Report& report) {
  Examination examination(client, clock, std::move(examined), report);
  co_await examination.run();
}

}  // namespace keelson::doctor
