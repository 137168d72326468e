// Reconciles a Memcached: its Deployment, its Service, and which of its pods are nodes.
#include <map>

#include "keelson/cache/cache.hpp"
#include "keelson/controller/child.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/fields.hpp"
#include "src/controllers/memcached/memcached.hpp"
#include "src/controllers/memcached/memcached_children.hpp"
#include "src/controllers/memcached/memcached_status.hpp"
#include "src/controllers/memcached/memcached_types.hpp"

namespace keelson::controllers {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// A status that is about to change again is held back for so long at most (contract: progress is gathered for 1 s).
constexpr auto kGather = 1s;

std::vector<kube::Key> key_of_pod_label(const kube::Object& object, cache::Cache&) {
  auto owner = object.label(kOwnerLabel);
  if (!owner) return {};
  return {kube::Key(object.ns(), *owner)};
}

// A stranger's object in our way has no owner that leads to us: its name does.
std::vector<kube::Key> key_of_same_name(const kube::Object& object, cache::Cache& cache) {
  auto memcacheds = cache.find(memcached_resource());
  if (!memcacheds || !(*memcacheds)->get(object.key())) return {};
  return {object.key()};
}

class MemcachedReconciler final : public controller::Reconciler {
 public:
  explicit MemcachedReconciler(controller::Context& context)
      : context_(context), resource_(memcached_resource()), image_(kDefaultImage) {
    if (const auto* image = context.environment("MEMCACHED_IMAGE"); image != nullptr && *image != '\0') image_ = image;
  }

  asio::awaitable<Result<controller::Outcome>> reconcile(kube::Key key, Logger log) override;

 private:
  [[nodiscard]] asio::awaitable<Result<void>> keep_children(const kube::Object& memcached, const MemcachedSpec& spec,
                                                            MemcachedFacts& facts, Logger log);
  [[nodiscard]] asio::awaitable<Result<std::optional<kube::Object>>> keep_child(const kube::Object& memcached,
                                                                                kube::Resource resource,
                                                                                std::string wanted,
                                                                                MemcachedFacts& facts, Logger log);
  [[nodiscard]] Result<void> look_at_deployment(const kube::Object& deployment, MemcachedFacts& facts);
  [[nodiscard]] Result<void> look_at_pods(const kube::Key& key, const kube::Object& deployment, MemcachedFacts& facts);
  [[nodiscard]] asio::awaitable<Result<controller::Outcome>> write_status(const kube::Object& memcached,
                                                                          const MemcachedStatus& before,
                                                                          MemcachedVerdict verdict);
  [[nodiscard]] cache::Informer& informer(const kube::Resource& resource) { return **context_.cache.find(resource); }

  controller::Context& context_;
  kube::Resource resource_;
  std::string image_;
  // When a difference in the status of a key was first held back.
  std::map<kube::Key, async::TimePoint> held_back_;
};

asio::awaitable<Result<controller::Outcome>> MemcachedReconciler::reconcile(kube::Key key, Logger log) {
  auto found = informer(resource_).get(key);
  if (!found) {
    log.info("Memcached resource not found. Ignoring since object must be deleted.");
    held_back_.erase(key);
    co_return controller::Outcome::done();
  }
  // What hangs on it goes with it: garbage collection by owner reference.
  if (found->deleting()) co_return controller::Outcome::done();
  log.debug("Reconciling Memcached.");
  auto fields = kube::Fields::of(*found);
  if (!fields) co_return std::move(fields.error());
  auto spec = kube::decode<MemcachedSpec>(fields->root().find("spec"), "spec");
  if (!spec) co_return terminal(std::move(spec.error()));
  auto status = kube::decode<MemcachedStatus>(fields->root().find("status"), "status");
  if (!status) co_return terminal(std::move(status.error()));

  MemcachedFacts facts;
  facts.generation = found->generation();
  facts.size = spec->size;
  facts.selector = memcached_selector(key);
  auto kept = co_await keep_children(*found, *spec, facts, log);
  if (!kept) co_return std::move(kept.error());
  auto verdict = judge_memcached(*status, std::move(facts), context_.clock.wall_now());
  auto outcome = co_await write_status(*found, *status, std::move(verdict));
  co_return outcome;
}

asio::awaitable<Result<void>> MemcachedReconciler::keep_children(const kube::Object& memcached,
                                                                 const MemcachedSpec& spec, MemcachedFacts& facts,
                                                                 Logger log) {
  auto key = memcached.key();
  auto wanted = memcached_deployment(key, spec.size, spec.image.value_or(image_));
  auto deployment = co_await keep_child(memcached, kube::deployments(), std::move(wanted), facts, log);
  if (!deployment) co_return std::move(deployment.error());
  auto service = co_await keep_child(memcached, kube::services(), memcached_service(key), facts, log);
  if (!service) co_return std::move(service.error());
  if (!*deployment) co_return Result<void>();
  auto looked = look_at_deployment(**deployment, facts);
  if (!looked) co_return std::move(looked.error());
  auto counted = look_at_pods(key, **deployment, facts);
  co_return counted;
}

// The child as it is now; none when the name belongs to someone else, which the facts then say.
asio::awaitable<Result<std::optional<kube::Object>>> MemcachedReconciler::keep_child(
    const kube::Object& memcached, kube::Resource resource, std::string wanted, MemcachedFacts& facts, Logger log) {
  auto key = memcached.key();
  auto current = informer(resource).get(key);
  auto kept =
      co_await controller::keep_child(context_.client, resource, resource_, memcached, std::move(wanted), current);
  if (!kept) co_return std::move(kept.error());
  switch (kept->outcome) {
    case controller::Child::Outcome::kForeign:
      facts.foreign = resource.kind + " " + key.text() + " exists and is not controlled by this Memcached.";
      context_.events.record(resource_, memcached, controller::EventRecorder::Type::kWarning, "ForeignObject",
                             "Reconcile", facts.foreign);
      co_return std::optional<kube::Object>();
    case controller::Child::Outcome::kWaiting:
      co_return std::optional<kube::Object>();
    case controller::Child::Outcome::kCreated:
      log.info("Creating a new " + resource.kind + ".",
               {{resource.kind + ".Namespace", key.ns}, {resource.kind + ".Name", key.name}});
      break;
    case controller::Child::Outcome::kUpdated:
      log.info("Updating the " + resource.kind + ".",
               {{resource.kind + ".Namespace", key.ns}, {resource.kind + ".Name", key.name}});
      break;
    case controller::Child::Outcome::kUnchanged:
      break;
  }
  co_return std::move(kept->object);
}

Result<void> MemcachedReconciler::look_at_deployment(const kube::Object& deployment, MemcachedFacts& facts) {
  auto fields = kube::Fields::of(deployment);
  if (!fields) return std::move(fields.error());
  auto status = fields->at({"status"});
  if (!status) return std::move(status.error());
  auto number = [&](std::string_view name) { return status->find(name).integer().value_or(0); };
  facts.rolled_out = number("observedGeneration") >= deployment.generation() &&
                     number("updatedReplicas") == facts.size && number("replicas") == facts.size;
  for (auto condition : status->find("conditions").items()) {
    auto type = condition.find("type").string().value_or("");
    bool holds = condition.find("status").string() == "True";
    bool failed = (type == "ReplicaFailure" && holds) || (type == "Progressing" && !holds);
    if (failed) facts.failure = condition.find("message").string().value_or("the Deployment does not progress");
  }
  return {};
}

// Nodes are the pods of the Deployment's ReplicaSets that neither terminate nor have ended. Owner references tell
// whose they are: anyone can put our labels on a pod.
Result<void> MemcachedReconciler::look_at_pods(const kube::Key& key, const kube::Object& deployment,
                                               MemcachedFacts& facts) {
  auto& replica_sets = informer(kube::replica_sets());
  for (const auto& pod : informer(kube::pods()).by_index(cache::label_index(kOwnerLabel), key.name)) {
    if (pod.ns() != key.ns || pod.deleting()) continue;
    auto owner = pod.controller_owner();
    if (!owner || owner->kind != "ReplicaSet") continue;
    auto replica_set = replica_sets.get(kube::Key(pod.ns(), owner->name));
    if (!replica_set || replica_set->uid() != owner->uid) continue;
    auto grand_owner = replica_set->controller_owner();
    if (!grand_owner || grand_owner->uid != deployment.uid()) continue;
    auto fields = kube::Fields::of(pod);
    if (!fields) return std::move(fields.error());
    auto phase = fields->at({"status", "phase"});
    if (!phase) return std::move(phase.error());
    if (phase->string() == "Failed" || phase->string() == "Succeeded") continue;
    auto conditions = fields->at({"status", "conditions"});
    if (!conditions) return std::move(conditions.error());
    facts.nodes.emplace_back(pod.name());
    for (auto condition : conditions->items()) {
      bool is_ready = condition.find("type").string() == "Ready" && condition.find("status").string() == "True";
      if (is_ready) ++facts.ready_nodes;
    }
  }
  return {};
}

asio::awaitable<Result<controller::Outcome>> MemcachedReconciler::write_status(const kube::Object& memcached,
                                                                               const MemcachedStatus& before,
                                                                               MemcachedVerdict verdict) {
  auto key = memcached.key();
  if (verdict.status == before) {
    held_back_.erase(key);
    co_return controller::Outcome::done();
  }
  if (!verdict.is_bad && !verdict.is_settled) {
    auto now = context_.clock.now();
    auto since = held_back_.try_emplace(key, now).first->second;
    if (now - since < kGather) co_return controller::Outcome::requeue_after(since + kGather - now);
  }
  held_back_.erase(key);
  json::Writer body;
  body.begin_object().field("apiVersion", resource_.api_version()).field("kind", resource_.kind);
  body.key("metadata").begin_object().field("name", key.name).field("namespace", key.ns);
  body.field("uid", memcached.uid()).end_object();
  body.raw_field("status", kube::encode(verdict.status)).end_object();
  auto written =
      co_await kube::apply(context_.client, resource_, key, kube::ApplyForm::kUpdate, std::move(body).take(), "status");
  // It was deleted meanwhile: nothing is left to be said.
  if (!written && !kube::is_not_found(written.error())) co_return std::move(written.error());
  co_return controller::Outcome::done();
}

}  // namespace

controller::Definition memcached() {
  controller::WatchOptions of_ours;
  of_ours.labels = *kube::Selector::parse(memcached_pod_selector());
  of_ours.label_indexes = {std::string(kOwnerLabel)};
  auto pods = of_ours;
  pods.projection = json::Projection::of({{"status", "phase"}, {"status", "conditions"}});
  auto replica_sets = of_ours;
  replica_sets.projection = json::Projection::of({});
  // What a comparison with the wish reads, what the status says, and our annotation.
  controller::WatchOptions deployments;
  deployments.projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}, {"status"}});
  controller::WatchOptions services;
  services.projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}});
  return controller::define(memcached_kind())
      .owns(kube::deployments(), deployments)
      .owns(kube::services(), services)
      .watches(kube::deployments(), deployments, key_of_same_name)
      .watches(kube::services(), services, key_of_same_name)
      .watches(kube::pods(), pods, key_of_pod_label)
      .watches(kube::replica_sets(), replica_sets, key_of_pod_label)
      .needs({"apps", "deployments", {"create", "patch"}})
      .needs({"", "services", {"create", "patch"}})
      .reconciled_by([](controller::Context& context) { return std::make_unique<MemcachedReconciler>(context); });
}

}  // namespace keelson::controllers
