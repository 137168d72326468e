#include "src/sandbox/controllers/served_status.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/controllers/api_services.hpp"
#include "src/sandbox/controllers/flow_control.hpp"
#include "src/sandbox/kinds/new_objects.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kServer = "system:apiserver";
constexpr const char* kServiceLabel = "kubernetes.io/service-name";

Tree dangling_condition(bool is_found, const std::string& level) {
  return new_condition("Dangling", !is_found, is_found ? "Found" : "NotFound",
                       "This FlowSchema references the PriorityLevelConfiguration object named " +
                           base::quote_go(level) + (is_found ? " and it exists" : " but there is no such object"));
}

Tree unavailable(const char* reason, const std::string& message) {
  return new_condition("Available", false, reason, message);
}

bool is_ready_endpoint(const Tree& endpoint) {
  const Tree* ready = endpoint.at({"conditions", "ready"});
  return ready == nullptr || ready->is_null() || *ready == Tree(true);
}

bool has_endpoint(const Tree& slice, const std::string& port) {
  return std::ranges::any_of(slice.items_at({"endpoints"}), is_ready_endpoint) &&
         std::ranges::any_of(slice.items_at({"ports"}),
                             [&port](const Tree& one) { return one.text_at({"name"}) == port; });
}

// The condition of an APIService. The sandbox serves no other API servers: those that a Service leads to are never
// available.
Tree availability(const Operations& operations, const Tree& api_service) {
  const Tree* reference = api_service.at({"spec", "service"});
  if (reference == nullptr || reference->is_null()) {
    return new_condition("Available", true, "Local", kAlwaysAvailable);
  }
  const kube::Key key(reference->text_at({"namespace"}), reference->text_at({"name"}));
  const auto port = reference->integer_at({"port"}, 443);
  const auto of_service = "service/" + key.name + " in " + base::quote_go(key.ns);
  const Tree* service = operations.tree(kube::services(), key);
  if (service == nullptr) return unavailable("ServiceNotFound", of_service + " is not present");
  if (service->text_at({"spec", "type"}) == "ClusterIP") {
    const auto& ports = service->items_at({"spec", "ports"});
    const auto found =
        std::ranges::find_if(ports, [port](const Tree& one) { return one.integer_at({"port"}) == port; });
    if (found == ports.end()) {
      return unavailable("ServicePortError", of_service + " is not listening on port " + std::to_string(port));
    }
    const auto name = found->text_at({"name"});
    bool has_slices = false;
    bool has_endpoints = false;
    const auto& slices = operations.world.store.all(operations.kind(kube::endpoint_slices()));
    for (auto one = slices.lower_bound(kube::Key(key.ns, "")); one != slices.end() && one->first.ns == key.ns; ++one) {
      if (one->second.object.label(kServiceLabel) != key.name) continue;
      has_slices = true;
      has_endpoints = has_endpoints || has_endpoint(one->second.stored().tree, name);
    }
    if (!has_slices) return unavailable("EndpointsNotFound", "cannot find endpointslices for " + of_service);
    if (!has_endpoints) {
      return unavailable("MissingEndpoints", "endpointslices for " + of_service + " have no addresses with port name " +
                                                 base::quote_go(name));
    }
  }
  return unavailable("FailedDiscoveryCheck", "this server does not send requests to " + of_service);
}

// Whether the condition is in the status, whatever its time.
bool has_condition_like(const Tree& object, const Tree& condition) {
  const Tree* had = condition_of(object, condition.text_at({"type"}));
  return had != nullptr && std::ranges::all_of(condition.members(), [had](const auto& member) {
           const Tree* value = had->find(member.first);
           return value != nullptr && *value == member.second;
         });
}

}  // namespace

ServedStatus::ServedStatus(World& world, Committer& committer, Deletes& deletes)
    : committer_(committer),
      operations_(world, committer, deletes, kServer),
      passes_(world.clock, {}, [this] { settle(); }) {}

void ServedStatus::begin(bool has_cluster_objects) {
  for (auto& [resource, object] : has_cluster_objects ? bootstrap_flows() : FlowObjects()) {
    const kube::Key key("", object.text_at({"metadata", "name"}));
    if (operations_.tree(resource, key) != nullptr) continue;
    static_cast<void>(
        committer_.commit(call_of(resource, key, kFlowProducer), nullptr, std::move(object), std::nullopt));
  }
  const auto& store = operations_.world.store;
  for (const auto& [key, entry] : store.all(operations_.kind(flow_schemas()))) flows_.insert(key);
  for (const auto& [key, entry] : store.all(operations_.kind(api_services()))) services_.insert(key);
  settle();
}

void ServedStatus::hear(const Change& change) {
  const auto& resource = change.kind->resource;
  auto& store = operations_.world.store;
  if (resource == flow_schemas() && change.after) {
    look_at(flows_, change.key());
  } else if (resource == priority_levels() && (!change.before || !change.after)) {
    for (const auto& [key, entry] : store.all(operations_.kind(flow_schemas()))) look_at(flows_, key);
  } else if (resource == api_services()) {
    if (change.after) look_at(services_, change.key());
    if (!change.after) backends_.erase(change.key());
  } else if (resource == kube::services()) {
    look_at_backend(change.key());
  } else if (resource == kube::endpoint_slices()) {
    for (const auto& slice : {change.before, change.after}) {
      if (slice) look_at_backend(kube::Key(slice->ns(), slice->label(kServiceLabel).value_or("")));
    }
  }
}

void ServedStatus::look_at(std::set<kube::Key>& waiting, const kube::Key& key) {
  waiting.insert(key);
  passes_.wake();
}

void ServedStatus::look_at_backend(const kube::Key& service) {
  for (const auto& [key, backend] : backends_) {
    if (backend == service) look_at(services_, key);
  }
}

Call ServedStatus::call_of(const kube::Resource& resource, const kube::Key& key, const char* manager) const {
  auto call = own_call(kServer, operations_.kind(resource), key);
  call.query.emplace("fieldManager", manager);
  return call;
}

void ServedStatus::settle() {
  const auto settle_each = [this](std::set<kube::Key>& waiting, const auto& settle_one) {
    for (const auto& key : std::exchange(waiting, {})) {
      if (settle_one(key)) continue;
      waiting.insert(key);
      passes_.wake_after_rejection();
    }
  };
  settle_each(flows_, [this](const kube::Key& key) { return settle_flow(key); });
  settle_each(services_, [this](const kube::Key& key) { return settle_service(key); });
}

bool ServedStatus::settle_flow(const kube::Key& key) {
  const Tree* schema = operations_.tree(flow_schemas(), key);
  if (schema == nullptr) return true;
  const auto level = schema->text_at({"spec", "priorityLevelConfiguration", "name"});
  // The real server has these two levels even if their objects are deleted.
  const bool is_found =
      level == "exempt" || level == "catch-all" || operations_.tree(priority_levels(), kube::Key("", level)) != nullptr;
  auto condition = dangling_condition(is_found, level);
  if (has_condition_like(*schema, condition)) return true;
  auto status = status_of(*schema);
  set_condition(status, std::move(condition), operations_.world.time_text());
  auto call = call_of(flow_schemas(), key, kFlowConsumer);
  call.subresource = Subresource::kStatus;
  const auto* entry = operations_.world.store.find(*call.kind, key);
  auto applied = apply(entry->stored().tree, entry->stored().managers, Tree::object({{"status", std::move(status)}}),
                       manager_of(operations_.world, call, true), true, call.kind->merge_type());
  return static_cast<bool>(committer_.commit(call, entry, std::move(applied.object), std::move(applied.managers)));
}

bool ServedStatus::settle_service(const kube::Key& key) {
  const Tree* api_service = operations_.tree(api_services(), key);
  if (api_service == nullptr) return true;
  const Tree* backend = api_service->at({"spec", "service"});
  if (backend != nullptr && backend->is_object()) {
    backends_.insert_or_assign(key, kube::Key(backend->text_at({"namespace"}), backend->text_at({"name"})));
  } else {
    backends_.erase(key);
  }
  auto condition = availability(operations_, *api_service);
  if (has_condition_like(*api_service, condition)) return true;
  auto status = status_of(*api_service);
  set_condition(status, std::move(condition), operations_.world.time_text());
  return !operations_.write_status(api_services(), key, std::move(status));
}

}  // namespace keelson::sandbox
