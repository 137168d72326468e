#include "keelson/sandbox/simulated_cluster.hpp"

#include <cstdio>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "src/sandbox/simulation/explanation.hpp"
#include "src/sandbox/simulation/manager_life.hpp"
#include "src/sandbox/simulation/observation.hpp"
#include "src/sandbox/simulation/requests.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kManager = "manager";

}  // namespace

SimulatedCluster::SimulatedCluster(controller::Definition definition, ClusterOptions options)
    : SimulatedCluster(std::vector<controller::Definition>{std::move(definition)}, std::move(options)) {}

SimulatedCluster::SimulatedCluster(std::vector<controller::Definition> definitions, ClusterOptions options)
    : operator_name(options.operator_name),
      random(options.seed),
      server(loop.clock(), random,
             with_webhooks(options.server, [this](WebhookCall call) { return call_webhook(std::move(call)); })),
      definitions_(std::move(definitions)),
      webhooks_(controller::webhooks_of(definitions_, options.webhooks)),
      options_(std::move(options)),
      observation_(std::make_unique<Observation>(
          server.client(kManager), sink, loop.clock(), definitions_,
          options_.tolerates_problems ? UnknownFields::kDropped : UnknownFields::kRejected, options_.operator_name)) {
  controller::check_definitions(definitions_);
  webhook::check_webhooks(webhooks_);
  for (const auto& kind : controller::kinds_of(definitions_)) {
    kube::check_kind(kind);  // as keelson::run does
    server.serve(kind);
  }
  server.allow_only(kManager, controller::manager_rules(definitions_));
  server.on_warning([this](const RequestInfo& request, const std::string& warning) {
    if (request.user == kManager) observation_->hear_warning(request, warning);
  });
  if (options_.has_webhooks && !options_.server.webhooks) register_webhooks(server, webhooks_);
}

Task<net::Response> SimulatedCluster::call_webhook(WebhookCall call) {
  if (!life_) co_return connection_refused();
  const auto limit = call.timeout;
  auto answered = life_->call_webhook(std::move(call));
  auto response = co_await async::with_timeout(loop.clock(), limit, "webhook", std::move(answered));
  co_return response;
}

SimulatedCluster::~SimulatedCluster() {
  crash_manager();
  if (has_problem() && !observation_->is_printed) {
    print("The operator has problems, and the test did not check for them.");
  }
}

Result<void> SimulatedCluster::start_manager() {
  KEELSON_ASSERT(!life_);
  auto environment_now = [variables = environment](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  const LifeParts parts{loop.executor(),   loop.clock(),          random,
                        observation_->log, observation_->client,  definitions_,
                        webhooks_,         http.client_factory(), is_dry_run};
  observation_->client.set_operator_name(operator_name);
  // The component of Events, as in the real program, whose file is called manager.
  const auto component = operator_name.is_keelson() ? std::string(kManager) : operator_name.text();
  life_ = std::make_unique<ManagerLife>(parts, component, std::move(environment_now), flags);
  auto filled = outcome_of(loop, life_->fill_caches());
  if (!filled) return filled;
  return outcome_of(loop, life_->work());
}

std::string SimulatedCluster::explain_object(const kube::Resource& resource, const kube::Key& key) const {
  KEELSON_ASSERT(life_);
  const auto query = "kind=" + resource.qualified_plural() + "&namespace=" + key.ns + "&name=" + key.name;
  return life_->debug_objects(query, "text/plain").body;
}

json::Document SimulatedCluster::debug_objects(const std::string& query) const {
  KEELSON_ASSERT(life_);
  auto page = json::Document::parse(life_->debug_objects(query, "application/json").body);
  KEELSON_ASSERT(page.has_value());
  return std::move(*page);
}

std::string SimulatedCluster::metrics() const {
  KEELSON_ASSERT(life_);
  return life_->metrics();
}

void SimulatedCluster::crash_manager() {
  if (!life_) return;
  loop.run(life_->crash());
  life_.reset();
}

Result<kube::Object> SimulatedCluster::create(const kube::Resource& resource, std::string ns, std::string_view object) {
  return create_as_user(loop, server, resource, std::move(ns), object);
}

Result<kube::Object> SimulatedCluster::patch(const kube::Resource& resource, const kube::Key& key,
                                             std::string_view merge_patch, std::string subresource) {
  return patch_as_user(loop, server, resource, key, merge_patch, std::move(subresource));
}

Result<void> SimulatedCluster::remove(const kube::Resource& resource, const kube::Key& key) {
  return outcome_of(loop, kube::remove(server.client(kSimulatedUser), resource, key, {}));
}

json::Document SimulatedCluster::get(const kube::Resource& resource, const kube::Key& key) const {
  observation_->note_read(resource, key);
  std::string text = "null";
  for (const auto& object : server.objects(resource)) {
    if (object.key() == key) text = object.json();
  }
  auto document = json::Document::parse(text);
  KEELSON_ASSERT(document.has_value());
  return std::move(*document);
}

bool SimulatedCluster::eventually(const std::function<bool()>& holds, async::Duration limit) {
  constexpr auto kStep = std::chrono::milliseconds(10);
  for (async::Duration passed{0};; passed += kStep) {
    observation_->reads.clear();
    const bool is_true = holds();
    if (has_problem()) {
      print("eventually: stopped after " + base::format_go_duration(passed) + ", because the operator has a problem.");
      return false;
    }
    if (is_true) return true;
    if (passed >= limit) {
      print("eventually: gave up after " + base::format_go_duration(passed) + " of simulated time.");
      return false;
    }
    pass(kStep);
  }
}

const std::vector<Problem>& SimulatedCluster::problems() const { return observation_->problems.all(); }

std::string SimulatedCluster::explanation() const { return explain("The simulated cluster:"); }

bool SimulatedCluster::has_problem() const { return !options_.tolerates_problems && !problems().empty(); }

std::string SimulatedCluster::explain(const std::string& headline) const {
  return sandbox::explain(
      headline, {server, definitions_, observation_->problems, observation_->log, observation_->reads, manager_runs()});
}

void SimulatedCluster::print(const std::string& headline) {
  observation_->is_printed = true;
  const auto text = explain(headline);
  if (options_.print) return options_.print(text);
  std::fputs(text.c_str(), stderr);
}

void SimulatedCluster::pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }

bool SimulatedCluster::pass_until(async::Notify& notify, async::Duration limit) {
  return outcome_of(loop, async::finish_within(loop.clock(), limit, notify.wait()));
}

std::size_t SimulatedCluster::writes(const kube::Resource& resource, const std::string& subresource, int code) const {
  return server.count([&](const RequestInfo& request) {
    return request.user == kManager && request.is_write() && request.resource == resource &&
           request.subresource == subresource && request.code == code;
  });
}

}  // namespace keelson::sandbox
