// Reconciles a BlueGreen: a Deployment for each colour, and the Service that sends traffic to one of them.
#include "keelson/controller/catch_up.hpp"
#include "keelson/controller/child.hpp"
#include "keelson/controller/child_keeper.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/status.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/fields.hpp"
#include "src/controllers/bluegreen/bluegreen.hpp"
#include "src/controllers/bluegreen/bluegreen_children.hpp"
#include "src/controllers/bluegreen/bluegreen_status.hpp"
#include "src/controllers/bluegreen/bluegreen_types.hpp"

namespace keelson::controllers {
namespace asio = boost::asio;

namespace {

// What one reconcile knows.
struct Pass {
  Pass(controller::Context& context, controller::CatchUp& catch_up, const kube::Object& object, const Logger& logger)
      : bluegreen(object), log(logger), keeper(context, bluegreen_resource(), object, logger, &catch_up) {}

  // The first error ends the pass, but does not keep the rest of it from being attempted.
  void fail(Error error, std::string_view what) {
    if (!failed) failed = std::move(error).within(what);
  }

  kube::Object bluegreen;
  Logger log;
  controller::ChildKeeper keeper;
  BlueGreenSpec spec;
  BlueGreenStatus before;
  BlueGreenFacts facts;
  std::optional<Error> failed;
};

class BlueGreenReconciler final : public controller::Reconciler {
 public:
  explicit BlueGreenReconciler(controller::Context& context)
      : context_(context), catch_up_(context), status_(context.clock, context.client, bluegreen_resource()) {}

  asio::awaitable<Result<controller::Outcome>> reconcile(kube::Key key, Logger log) override;

 private:
  [[nodiscard]] asio::awaitable<void> keep_deployment(Pass& pass, std::string colour);
  [[nodiscard]] asio::awaitable<void> keep_service(Pass& pass);
  [[nodiscard]] asio::awaitable<Result<bool>> may_switch(Pass& pass);
  [[nodiscard]] asio::awaitable<Result<bool>> can_serve(Pass& pass);
  [[nodiscard]] asio::awaitable<Result<bool>> is_current(Pass& pass);
  [[nodiscard]] asio::awaitable<void> remove_deployment(Pass& pass, std::string colour);
  [[nodiscard]] asio::awaitable<Result<controller::Outcome>> write_status(Pass& pass);

  controller::Context& context_;
  controller::CatchUp catch_up_;
  controller::StatusWriter status_;
};

Result<void> read(Pass& pass) {
  auto fields = kube::Fields::of(pass.bluegreen);
  if (!fields) return std::move(fields.error());
  auto spec = kube::decode<BlueGreenSpec>(fields->root().find("spec"), "spec");
  if (!spec) return std::move(spec.error());
  // A status that nobody can read is replaced like any other.
  auto status = kube::decode<BlueGreenStatus>(fields->root().find("status"), "status");
  if (status) pass.before = std::move(*status);
  kube::keep_conditions(pass.before.conditions,
                        {"Ready", "Available", "Progressing", "TrafficSwitched", "Reconciling", "Stalled"});
  if (!is_colour(pass.before.route_to)) pass.before.route_to.clear();
  pass.spec = std::move(*spec);
  pass.facts.generation = pass.bluegreen.generation();
  pass.facts.route_to = pass.spec.route_to;
  for (auto colour : kColours) pass.facts.of(colour).has_spec = pass.spec.has(colour);
  return {};
}

// The colour of a Service's selector, empty when it names none.
std::string selected_by(const kube::Object& service) {
  auto fields = kube::Fields::of(service);
  if (!fields) return {};
  auto phase = fields->at({"spec", "selector", kPhaseLabel});
  auto colour = phase ? phase->string().value_or("") : "";
  return is_colour(colour) ? std::string(colour) : "";
}

// Who traffic is to stay with as long as there is no reason to switch; empty: nobody was served yet. Our own last
// write tells, also when somebody has bent the selector since, or when no status was written after it. A Service that
// another version of us has written, or is gone, does not: the status knows.
std::string served(const Pass& pass) {
  auto service = pass.keeper.find(kube::services(), pass.bluegreen.key().name);
  for (auto colour : kColours) {
    bool is_last = service && controller::was_applied(*service, bluegreen_service(pass.bluegreen.key(), colour));
    if (is_last) return std::string(colour);
  }
  if (!pass.before.route_to.empty() || !service) return pass.before.route_to;
  return selected_by(*service);
}

// Traffic goes to it, or may come, or return.
bool is_needed(const Pass& pass, std::string_view colour) {
  if (!is_colour(pass.spec.route_to) || colour == pass.spec.route_to || colour == served(pass)) return true;
  auto service = pass.keeper.find(kube::services(), pass.bluegreen.key().name);
  return service && colour == selected_by(*service);
}

// A Deployment that is going away is a rollout that has yet to come.
Result<controller::Rollout> look_at(const kube::Object& deployment) {
  auto rollout = controller::rollout_of(deployment);
  if (rollout && deployment.deleting()) rollout->waits_for = "the Deployment is being deleted";
  return rollout;
}

asio::awaitable<Result<controller::Outcome>> BlueGreenReconciler::reconcile(kube::Key key, Logger log) {
  auto found = context_.informer(bluegreen_resource()).get(key);
  if (!found) status_.forget(key);
  // What hangs on it goes with it: garbage collection by owner reference.
  if (!found || found->deleting()) co_return controller::Outcome::done();
  log.info("=== Reconciling BlueGreen");
  Pass pass(context_, catch_up_, *found, log);
  auto understood = read(pass);
  if (!understood) co_return terminal(std::move(understood.error()));

  // Deployments first: what the Service may select depends on them.
  for (auto colour : kColours) co_await keep_deployment(pass, std::string(colour));
  co_await keep_service(pass);
  for (auto colour : kColours) co_await remove_deployment(pass, std::string(colour));
  if (pass.keeper.is_overtaken()) co_return controller::Outcome::requeue_after(async::Duration::zero());
  pass.facts.trouble = pass.keeper.trouble();
  auto outcome = co_await write_status(pass);
  if (pass.failed) co_return std::move(*pass.failed);
  co_return outcome;
}

asio::awaitable<void> BlueGreenReconciler::keep_deployment(Pass& pass, std::string colour) {
  auto& facts = pass.facts.of(colour);
  auto name = colour_deployment_name(pass.bluegreen.name(), colour);
  auto deployment = pass.keeper.find(kube::deployments(), name);
  if (facts.has_spec) {
    auto wanted = colour_deployment(pass.bluegreen.key(), colour, pass.spec.pod_spec(colour));
    auto kept = co_await pass.keeper.keep(kube::deployments(), name, std::move(wanted));
    facts.is_kept = kept && *kept;
    if (kept) deployment = std::move(*kept);
    if (!kept) pass.fail(std::move(kept.error()), "fail to create (or update) deployment");
  }
  if (!deployment) co_return;
  auto rollout = look_at(*deployment);
  if (rollout) facts.rollout = std::move(*rollout);
  if (!rollout) pass.fail(std::move(rollout.error()), "fail to read deployment");
}

asio::awaitable<void> BlueGreenReconciler::keep_service(Pass& pass) {
  auto name = pass.bluegreen.key().name;
  auto service = pass.keeper.find(kube::services(), name);
  if (service) pass.facts.selected = selected_by(*service);
  if (!is_colour(pass.spec.route_to)) co_return;
  auto colour = served(pass);
  if (!colour.empty() && colour != pass.spec.route_to) {
    auto may = co_await may_switch(pass);
    pass.facts.switch_failed = !may;
    if (!may) pass.fail(std::move(may.error()), "fail to look again before a switch");
    // Meanwhile the cache may have heard of what another process did.
    colour = may && *may ? pass.spec.route_to : served(pass);
  }
  if (colour.empty()) colour = pass.spec.route_to;
  auto kept = co_await pass.keeper.keep(kube::services(), name, bluegreen_service(pass.bluegreen.key(), colour));
  if (kept && *kept) pass.facts.selected = selected_by(**kept);
  if (kept) co_return;
  pass.facts.switch_failed |= colour == pass.spec.route_to;
  pass.fail(std::move(kept.error()), "fail to create (or update) service");
}

asio::awaitable<Result<bool>> BlueGreenReconciler::may_switch(Pass& pass) {
  if (pass.spec.switch_policy == kWhenReady) {
    auto serves = co_await can_serve(pass);
    if (!serves || !*serves) co_return serves;
  }
  co_return co_await is_current(pass);
}

// A cache that is behind must not send traffic to pods that are gone: the server is asked once more.
asio::awaitable<Result<bool>> BlueGreenReconciler::can_serve(Pass& pass) {
  auto& target = pass.facts.of(pass.spec.route_to);
  if (!target.can_serve()) co_return false;
  kube::Key key(pass.bluegreen.ns(), colour_deployment_name(pass.bluegreen.name(), pass.spec.route_to));
  auto deployment = co_await kube::get(context_.client, kube::deployments(), key);
  if (!deployment && !kube::is_not_found(deployment.error())) co_return std::move(deployment.error());
  if (!deployment || !controller::is_controlled_by(*deployment, pass.bluegreen)) co_return false;
  auto rollout = look_at(*deployment);
  if (!rollout) co_return std::move(rollout.error());
  target.rollout = std::move(*rollout);
  co_return target.can_serve();
}

// Before traffic moves, or pods go: of what another process did before this one took over the cache may not know yet.
asio::awaitable<Result<bool>> BlueGreenReconciler::is_current(Pass& pass) {
  auto asked = co_await catch_up_.bring_up_to_date(bluegreen_resource(), pass.bluegreen, kube::services());
  if (!asked) co_return std::move(asked.error());
  co_return pass.keeper.is_current();
}

// Of a colour that is no longer wanted; the one that traffic goes to, or should, stays.
asio::awaitable<void> BlueGreenReconciler::remove_deployment(Pass& pass, std::string colour) {
  auto& facts = pass.facts.of(colour);
  if (facts.has_spec || colour == pass.facts.selected || is_needed(pass, colour)) co_return;
  auto name = colour_deployment_name(pass.bluegreen.name(), colour);
  auto deployment = pass.keeper.find(kube::deployments(), name);
  if (!deployment || deployment->deleting()) co_return;
  auto current = co_await is_current(pass);
  if (!current) pass.fail(std::move(current.error()), "fail to look again before a deletion");
  if (!current || !*current || is_needed(pass, colour)) co_return;
  kube::DeleteOptions options;
  options.uid = deployment->uid();
  options.propagation = "Background";
  auto removed = co_await kube::remove(context_.client, kube::deployments(), deployment->key(), std::move(options));
  if (!removed && !kube::is_not_found(removed.error())) {
    pass.fail(std::move(removed.error()), "fail to delete deployment");
    co_return;
  }
  pass.log.info("Deleting the Deployment.",
                {{"Deployment.Namespace", deployment->key().ns}, {"Deployment.Name", name}});
  facts.rollout.reset();
}

asio::awaitable<Result<controller::Outcome>> BlueGreenReconciler::write_status(Pass& pass) {
  using Urgency = controller::StatusWriter::Urgency;
  auto status = judge_bluegreen(pass.before, pass.facts, context_.clock.wall_now());
  if (status == pass.before) {
    status_.forget(pass.bluegreen.key());
    co_return controller::Outcome::done();
  }
  bool would_be_late = pass.failed && controller::says_more(pass.before, status);
  auto urgency = would_be_late || is_urgent(pass.before, status) ? Urgency::kNow : Urgency::kSoon;
  auto written = co_await status_.write(pass.bluegreen, kube::encode(status), urgency);
  if (!written) co_return std::move(written.error()).within("fail to update bluegreen status");
  if (auto told = news(pass.before, status)) {
    controller::RelatedObject target{"apps/v1", "Deployment", pass.bluegreen.key().ns, "", ""};
    target.name = colour_deployment_name(pass.bluegreen.name(), pass.spec.route_to);
    if (auto deployment = pass.keeper.find(kube::deployments(), target.name)) target.uid = deployment->uid();
    context_.events.record_related(bluegreen_resource(), pass.bluegreen, target,
                                   controller::EventRecorder::Type::kNormal, std::move(told->reason), "Switch",
                                   std::move(told->message));
  }
  co_return written;
}

}  // namespace

controller::Definition bluegreen() {
  // What a comparison with the wish reads, what the status says, and our annotation.
  controller::WatchOptions deployments;
  deployments.projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}, {"status"}});
  controller::WatchOptions services;
  services.projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}});
  auto same_name = [](std::string_view name) { return std::string(name); };
  return controller::define(bluegreen_kind())
      .owns(kube::deployments(), deployments)
      .owns(kube::services(), services)
      .watches(kube::deployments(), deployments, controller::by_name(bluegreen_resource(), bluegreen_name_of))
      .watches(kube::services(), services, controller::by_name(bluegreen_resource(), same_name))
      .needs({"apps", "deployments", {"create", "delete", "get", "patch"}})
      .needs({"", "services", {"create", "patch"}})
      .reconciled_by([](controller::Context& context) { return std::make_unique<BlueGreenReconciler>(context); });
}

}  // namespace keelson::controllers
