// Reconciles a Memcached: its Deployment, its Service, and which of its pods are nodes.
#include "keelson/controller/catch_up.hpp"
#include "keelson/controller/child_keeper.hpp"
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

namespace {

// Only of a Memcached that is there: anybody can put our labels on a pod.
std::vector<kube::Key> key_of_pod_label(const kube::Object& object, cache::Cache& cache) {
  auto owner = object.label(kOwnerLabel);
  auto memcacheds = cache.find(memcached_resource());
  if (!owner || !memcacheds) return {};
  kube::Key key(object.ns(), *owner);
  return (*memcacheds)->get(key) ? std::vector{key} : std::vector<kube::Key>();
}

class MemcachedReconciler final : public controller::Reconciler {
 public:
  explicit MemcachedReconciler(controller::Context& context)
      : context_(context),
        resource_(memcached_resource()),
        catch_up_(context),
        status_(context.clock, context.client, resource_),
        image_(kDefaultImage) {
    if (const auto* image = context.environment("MEMCACHED_IMAGE"); image != nullptr && *image != '\0') image_ = image;
  }

  asio::awaitable<Result<controller::Outcome>> reconcile(kube::Key key, Logger log) override;

 private:
  using Urgency = controller::StatusWriter::Urgency;

  [[nodiscard]] asio::awaitable<Result<void>> keep_children(const kube::Object& memcached, const MemcachedSpec& spec,
                                                            controller::ChildKeeper& keeper, MemcachedFacts& facts);
  [[nodiscard]] asio::awaitable<Result<controller::Outcome>> write_status(const kube::Object& memcached,
                                                                          const MemcachedStatus& before,
                                                                          MemcachedStatus after, Urgency urgency);

  controller::Context& context_;
  kube::Resource resource_;
  controller::CatchUp catch_up_;
  controller::StatusWriter status_;
  std::string image_;
};

asio::awaitable<Result<controller::Outcome>> MemcachedReconciler::reconcile(kube::Key key, Logger log) {
  auto found = context_.informer(resource_).get(key);
  if (!found) {
    log.info("Memcached resource not found. Ignoring since object must be deleted.");
    status_.forget(key);
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
  kube::keep_conditions(before.conditions, {"Ready", "Available", "Progressing", "Degraded", "Reconciling", "Stalled"});

  MemcachedFacts facts;
  facts.generation = found->generation();
  facts.size = spec->size;
  facts.selector = memcached_selector(key);
  controller::ChildKeeper keeper(context_, resource_, *found, std::move(log), &catch_up_);
  auto kept = co_await keep_children(*found, *spec, keeper, facts);
  if (keeper.is_overtaken()) co_return controller::Outcome::requeue_after(async::Duration::zero());
  if (!kept && !facts.trouble) co_return std::move(kept.error());
  auto verdict = judge_memcached(before, std::move(facts), context_.clock.wall_now());
  bool would_be_late = !kept && controller::says_more(before, verdict.status);
  auto urgency = would_be_late || verdict.turns_bad || verdict.is_settled ? Urgency::kNow : Urgency::kSoon;
  auto outcome = co_await write_status(*found, before, std::move(verdict.status), urgency);
  // The refused child is what the next try is for, and it brings the status with it.
  if (!kept) co_return std::move(kept.error());
  co_return outcome;
}

// An error of one child does not keep the other from being attempted, nor the facts from being complete.
asio::awaitable<Result<void>> MemcachedReconciler::keep_children(const kube::Object& memcached,
                                                                 const MemcachedSpec& spec,
                                                                 controller::ChildKeeper& keeper,
                                                                 MemcachedFacts& facts) {
  auto name = memcached.key().name;
  auto wanted = memcached_deployment(memcached.key(), spec.size, spec.image.value_or(image_));
  auto deployment = co_await keeper.keep(kube::deployments(), name, std::move(wanted));
  auto service = co_await keeper.keep(kube::services(), name, memcached_service(memcached.key()));
  facts.trouble = keeper.trouble();
  if (auto seen = keeper.find(kube::deployments(), name)) {
    auto looked = look_at_deployment(*seen, facts);
    if (!looked) co_return std::move(looked.error());
    auto counted = look_at_pods(*seen, context_.informer(kube::replica_sets()), context_.informer(kube::pods()), facts);
    if (!counted) co_return std::move(counted.error());
  }
  if (!deployment) co_return std::move(deployment.error());
  if (!service) co_return std::move(service.error());
  co_return Result<void>();
}

asio::awaitable<Result<controller::Outcome>> MemcachedReconciler::write_status(const kube::Object& memcached,
                                                                               const MemcachedStatus& before,
                                                                               MemcachedStatus after, Urgency urgency) {
  if (after == before) {
    status_.forget(memcached.key());
    co_return controller::Outcome::done();
  }
  co_return co_await status_.write(memcached, kube::encode(after), urgency);
}

}  // namespace

controller::Definition memcached() {
  controller::WatchOptions of_ours;
  of_ours.labels = *kube::Selector::parse(memcached_pod_selector());
  of_ours.indexes = {{std::string(kLabelledIndex), memcacheds_of_label}};
  auto pods = of_ours;
  pods.projection = json::Projection::of({{"status", "phase"}, {"status", "conditions"}});
  auto replica_sets = of_ours;
  replica_sets.projection = json::Projection::of({});
  // What a comparison with the wish reads, what the status says, and our annotation.
  controller::WatchOptions deployments;
  deployments.projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}, {"status"}});
  controller::WatchOptions services;
  services.projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}});
  auto same_name = controller::by_name(memcached_resource(), [](std::string_view name) { return std::string(name); });
  return controller::define(memcached_kind())
      .owns(kube::deployments(), deployments)
      .owns(kube::services(), services)
      .watches(kube::deployments(), deployments, same_name)
      .watches(kube::services(), services, same_name)
      .watches(kube::pods(), pods, key_of_pod_label)
      .watches(kube::replica_sets(), replica_sets, key_of_pod_label)
      .needs({"apps", "deployments", {"create", "patch"}})
      .needs({"", "services", {"create", "patch"}})
      .reconciled_by([](controller::Context& context) { return std::make_unique<MemcachedReconciler>(context); });
}

}  // namespace keelson::controllers
