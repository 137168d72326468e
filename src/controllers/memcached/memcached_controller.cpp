// Reconciles a Memcached: its Deployment, its Service, and which of its pods are nodes.
#include <map>

#include "keelson/controller/child.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/status.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/fields.hpp"
#include "src/controllers/memcached/memcached.hpp"
#include "src/controllers/memcached/memcached_children.hpp"
#include "src/controllers/memcached/memcached_facts.hpp"
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

MemcachedFacts::Refusal refusal_of(const kube::Resource& resource, const kube::Key& key, bool creates,
                                   const Error& error) {
  const auto& words = error.server_text.empty() ? error.text : error.server_text;
  return {creates ? "CreateFailed" : "UpdateFailed", resource.kind + " " + key.text() + ": " + words};
}

class MemcachedReconciler final : public controller::Reconciler {
 public:
  explicit MemcachedReconciler(controller::Context& context)
      : context_(context), resource_(memcached_resource()), image_(kDefaultImage) {
    if (const auto* image = context.environment("MEMCACHED_IMAGE"); image != nullptr && *image != '\0') image_ = image;
  }

  asio::awaitable<Result<controller::Outcome>> reconcile(kube::Key key, Logger log) override;

 private:
  using MaybeObject = std::optional<kube::Object>;

  [[nodiscard]] asio::awaitable<Result<void>> keep_children(const kube::Object& memcached, const MemcachedSpec& spec,
                                                            MemcachedFacts& facts, Logger log);
  [[nodiscard]] asio::awaitable<Result<MaybeObject>> keep_child(const kube::Object& memcached, kube::Resource resource,
                                                                std::string wanted, MemcachedFacts& facts, Logger log);
  [[nodiscard]] asio::awaitable<Result<controller::Outcome>> write_status(const kube::Object& memcached,
                                                                          const MemcachedStatus& before,
                                                                          MemcachedVerdict verdict);

  controller::Context& context_;
  kube::Resource resource_;
  std::string image_;
  // When a difference in the status of a key was first held back.
  std::map<kube::Key, async::TimePoint> held_back_;
};

asio::awaitable<Result<controller::Outcome>> MemcachedReconciler::reconcile(kube::Key key, Logger log) {
  auto found = context_.informer(resource_).get(key);
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
  // A status that an older operator left behind is replaced like any other.
  auto status = kube::decode<MemcachedStatus>(fields->root().find("status"), "status");
  auto before = status ? std::move(*status) : MemcachedStatus();

  MemcachedFacts facts;
  facts.generation = found->generation();
  facts.size = spec->size;
  facts.selector = memcached_selector(key);
  auto kept = co_await keep_children(*found, *spec, facts, log);
  if (!kept && !facts.refusal) co_return std::move(kept.error());
  auto verdict = judge_memcached(before, std::move(facts), context_.clock.wall_now());
  auto outcome = co_await write_status(*found, before, std::move(verdict));
  // The refused child is what the next try is for, and it brings the status with it.
  if (!kept) co_return std::move(kept.error());
  co_return outcome;
}

// An error of one child does not keep the other from being attempted, nor the facts from being complete.
asio::awaitable<Result<void>> MemcachedReconciler::keep_children(const kube::Object& memcached,
                                                                 const MemcachedSpec& spec, MemcachedFacts& facts,
                                                                 Logger log) {
  auto wanted = memcached_deployment(memcached.key(), spec.size, spec.image.value_or(image_));
  auto deployment = co_await keep_child(memcached, kube::deployments(), std::move(wanted), facts, log);
  auto service = co_await keep_child(memcached, kube::services(), memcached_service(memcached.key()), facts, log);
  auto seen = deployment ? *deployment : context_.informer(kube::deployments()).get(memcached.key());
  if (seen && controller::is_controlled_by(*seen, memcached.uid())) {
    auto looked = look_at_deployment(*seen, facts);
    if (!looked) co_return std::move(looked.error());
    auto counted = look_at_pods(*seen, context_.informer(kube::replica_sets()), context_.informer(kube::pods()), facts);
    if (!counted) co_return std::move(counted.error());
  }
  if (!deployment) co_return std::move(deployment.error());
  if (!service) co_return std::move(service.error());
  co_return Result<void>();
}

// The child as it is now; none when the name belongs to someone else, which the facts then say, as they say a refusal.
asio::awaitable<Result<std::optional<kube::Object>>> MemcachedReconciler::keep_child(
    const kube::Object& memcached, kube::Resource resource, std::string wanted, MemcachedFacts& facts, Logger log) {
  auto key = memcached.key();
  auto current = context_.informer(resource).get(key);
  bool creates = !current;
  auto kept =
      co_await controller::keep_child(context_.client, resource, resource_, memcached, std::move(wanted), current);
  if (!kept) {
    const auto& error = kept.error();
    if (controller::is_refusal(error) && !facts.refusal) facts.refusal = refusal_of(resource, key, creates, error);
    co_return std::move(kept.error());
  }
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

asio::awaitable<Result<controller::Outcome>> MemcachedReconciler::write_status(const kube::Object& memcached,
                                                                               const MemcachedStatus& before,
                                                                               MemcachedVerdict verdict) {
  auto key = memcached.key();
  if (verdict.status == before) {
    held_back_.erase(key);
    co_return controller::Outcome::done();
  }
  if (!verdict.turns_bad && !verdict.is_settled) {
    auto now = context_.clock.now();
    auto since = held_back_.try_emplace(key, now).first->second;
    if (now - since < kGather) co_return controller::Outcome::requeue_after(since + kGather - now);
  }
  held_back_.erase(key);
  auto written = co_await controller::apply_status(context_.client, resource_, memcached, kube::encode(verdict.status));
  if (!written) co_return std::move(written.error());
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
