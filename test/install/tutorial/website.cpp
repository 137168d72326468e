#include "website.hpp"

#include "keelson/controller/child_keeper.hpp"
#include "keelson/controller/finalizer.hpp"
#include "keelson/controller/rollout.hpp"
#include "keelson/controller/status.hpp"
#include "keelson/kube/fields.hpp"
#include "keelson/kube/readiness.hpp"
#include "keelson/kube/typed.hpp"
#include "website_admission.hpp"
#include "website_children.hpp"
#include "website_directory.hpp"

namespace website {
using namespace keelson;
namespace asio = boost::asio;

namespace {

// Stands for the entry in the directory, which nobody else would take away.
constexpr const char* kFinalizer = "web.example.com/directory";

using Website = kube::Typed<WebsiteSpec, WebsiteStatus>;
using controller::Outcome;

class WebsiteReconciler final : public controller::Reconciler {
 public:
  explicit WebsiteReconciler(controller::Context& context) : context_(context), directory_(context) {}

  asio::awaitable<Result<Outcome>> reconcile(kube::Key key, Logger log) override;

 private:
  asio::awaitable<Result<Outcome>> begin(kube::Object object);
  asio::awaitable<Result<Outcome>> sign_off(kube::Object object, Logger log);
  asio::awaitable<Result<void>> keep_children(const Website& website, controller::ChildKeeper& keeper,
                                              WebsiteStatus& status);

  controller::Context& context_;
  Directory directory_;
};

// Called with a key whenever the Website or something of it has changed: look, make it so, return.
asio::awaitable<Result<Outcome>> WebsiteReconciler::reconcile(kube::Key key, Logger log) {
  auto found = context_.informer(website_resource()).get(key);
  if (!found) co_return Outcome::done();
  if (found->deleting()) co_return co_await sign_off(*found, log);
  if (!controller::has_finalizer(*found, kFinalizer)) co_return co_await begin(*found);
  auto website = kube::read_typed<WebsiteSpec, WebsiteStatus>(*found);
  // An object that cannot be read stays so until somebody changes it.
  if (!website) co_return terminal(std::move(website.error()));

  auto status = website->status;
  status.url = url_of(key);
  status.observed_generation = found->generation();
  controller::ChildKeeper keeper(context_, website_resource(), *found, log);
  auto kept = co_await keep_children(*website, keeper, status);
  if (!kept && !keeper.trouble()) co_return std::move(kept.error());
  if (const auto& trouble = keeper.trouble()) {
    kube::set_readiness(status.conditions, kube::Readiness::kStalled, trouble->reason, trouble->message,
                        found->generation(), context_.clock.wall_now());
  }
  if (status != website->status) {
    auto written = co_await controller::apply_status(context_.client, website_resource(), *found, kube::encode(status));
    if (!written) co_return std::move(written.error());
  }
  if (!kept) co_return std::move(kept.error());
  // Nobody tells us when a stranger's object has made room.
  if (keeper.trouble()) co_return Outcome::requeue_after(std::chrono::minutes(1));
  auto entered = co_await directory_.enter(key);
  if (!entered) co_return std::move(entered.error());
  co_return Outcome::done();
}

// The finalizer comes before anything that it stands for; the change brings us here again.
asio::awaitable<Result<Outcome>> WebsiteReconciler::begin(kube::Object object) {
  auto patch = controller::add_finalizer_patch(object, kFinalizer);
  auto added = co_await kube::patch(context_.client, website_resource(), object.key(), kube::PatchType::kJson, *patch);
  if (!added) co_return std::move(added.error());
  co_return Outcome::done();
}

// Children go by garbage collection; the entry in the directory is ours to remove.
asio::awaitable<Result<Outcome>> WebsiteReconciler::sign_off(kube::Object object, Logger log) {
  auto patch = controller::remove_finalizer_patch(object, kFinalizer);
  if (!patch) co_return Outcome::done();
  auto left = co_await directory_.leave(object.key());
  if (!left) co_return std::move(left.error());
  auto removed =
      co_await kube::patch(context_.client, website_resource(), object.key(), kube::PatchType::kJson, *patch);
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed.error());
  log.info("Left the directory.");
  co_return Outcome::done();
}

asio::awaitable<Result<void>> WebsiteReconciler::keep_children(const Website& website, controller::ChildKeeper& keeper,
                                                               WebsiteStatus& status) {
  const auto key = website.object.key();
  auto pages = co_await keeper.keep(kube::config_maps(), pages_name(key), wanted_pages(key, website.spec));
  if (!pages) co_return std::move(pages.error());
  auto service = co_await keeper.keep(kube::services(), key.name, wanted_service(key));
  if (!service) co_return std::move(service.error());
  auto deployment = co_await keeper.keep(kube::deployments(), key.name, wanted_deployment(key, website.spec));
  if (!deployment) co_return std::move(deployment.error());
  if (!*deployment) co_return Result<void>();  // the name is a stranger's
  auto rollout = controller::rollout_of(**deployment);
  if (!rollout) co_return std::move(rollout.error());
  status.ready_replicas = rollout->ready_replicas;
  const bool is_ready = rollout->is_complete();
  kube::set_readiness(status.conditions, is_ready ? kube::Readiness::kReady : kube::Readiness::kReconciling,
                      is_ready ? "Served" : "RollingOut", is_ready ? "All pods serve." : rollout->waits_for,
                      status.observed_generation, context_.clock.wall_now());
  co_return Result<void>();
}

}  // namespace

controller::Definition website() {
  return controller::define(website_kind())
      .owns(kube::config_maps())
      .owns(kube::services())
      .owns(kube::deployments())
      .needs({"web.example.com", "websites", {"patch"}})  // the finalizer
      .needs({"", "configmaps", {"create", "patch"}})
      .needs({"", "services", {"create", "patch"}})
      .needs({"apps", "deployments", {"create", "patch"}})
      .defaulted_by<WebsiteSpec>([](controller::Context&) { return std::make_unique<Defaulter>(); })
      .validated_by<WebsiteSpec>([](controller::Context&) { return std::make_unique<Validator>(); })
      .reconciled_by([](controller::Context& context) { return std::make_unique<WebsiteReconciler>(context); });
}

}  // namespace website
