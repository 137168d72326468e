// Reconciles a BlueGreen: a Deployment for each color, and the Service that sends traffic to one of them.
#include <algorithm>
#include <vector>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/controller/pod_rollout.hpp"
#include "src/kinds/bluegreen/bluegreen.hpp"
#include "src/kinds/bluegreen/bluegreen_children.hpp"
#include "src/kinds/bluegreen/bluegreen_status.hpp"

namespace keelson::kinds {
namespace asio = boost::asio;
using apps::v1::Deployment;
using core::v1::Service;

namespace {

// A single pass and its observations. It attempts all steps and returns their errors.
class BlueGreenPass {
 public:
  BlueGreenPass(const BlueGreen& bluegreen, Pass<BlueGreen>& pass) : bluegreen_(bluegreen), pass_(pass) {}

  [[nodiscard]] Reconciled run();

 private:
  [[nodiscard]] Task<void> apply_deployment(std::string color);
  [[nodiscard]] Task<void> apply_service();
  [[nodiscard]] Task<std::string> color_to_serve();
  [[nodiscard]] Task<bool> can_switch();
  [[nodiscard]] Task<void> remove_deployment(std::string color);
  [[nodiscard]] Task<void> report();
  [[nodiscard]] Result<void> warn(const kube::Condition& problem);
  [[nodiscard]] Result<controller::RelatedObject> related_deployment(std::string_view color) const;
  void retain_failure(const BlueGreenStatus& before);

  [[nodiscard]] controller::Outcome check_again() const;
  [[nodiscard]] std::string last_color() const;
  [[nodiscard]] std::string served() const;
  [[nodiscard]] bool is_needed(std::string_view color) const;
  void fail(Result<void> result, std::string_view what) {
    if (!result) failed_.push_back(std::move(result).error().with_context(what));
  }

  const BlueGreen& bluegreen_;
  Pass<BlueGreen>& pass_;
  BlueGreenFacts facts_;
  std::vector<Error> failed_;
};

// The color in a Service's selector, empty if it has none.
std::string selected_by(const Service& service) {
  const auto phase = service.spec.selector.find(std::string(kPhaseLabel));
  return phase != service.spec.selector.end() && is_color(phase->second) ? phase->second : "";
}

// A reason of ChildProblem for which the object is Stalled; the others of Stalled follow from the spec and the pods.
bool is_failure_of_child(std::string_view reason) {
  return reason == "CreateFailed" || reason == "UpdateFailed" || reason == "DeleteFailed" ||
         reason == "ReconcileFailed" || reason == "NotOwned";
}

Reconciled BlueGreenPass::run() {
  pass_.log.debug("=== Reconciling BlueGreen");
  facts_.generation = pass_.object().generation();
  facts_.route_to = bluegreen_.spec.route_to;
  for (auto color : kColors) facts_.of(color).has_spec = bluegreen_.spec.has(color);

  // Deployments are applied first, because the color that the Service may select depends on them.
  for (auto color : kColors) {
    fail(co_await apply_deployment(std::string(color)), "fail to create (or update) deployment");
  }
  fail(co_await apply_service(), "fail to create (or update) service");
  for (auto color : kColors) fail(co_await remove_deployment(std::string(color)), "fail to delete deployment");
  if (std::ranges::find(failed_, Error::Kind::kSuperseded, &Error::kind) == failed_.end()) {
    fail(co_await report(), "fail to update bluegreen status");
  }
  if (!failed_.empty()) co_return controller::joined(std::move(failed_));
  co_return check_again();
}

// When a pod of a color becomes a problem, or recovers, without a change.
controller::Outcome BlueGreenPass::check_again() const {
  controller::Rollout first;
  for (auto color : kColors) {
    const auto& rollout = facts_.of(color).rollout;
    const bool is_first = rollout && rollout->check_at && (!first.check_at || *rollout->check_at < *first.check_at);
    if (is_first) first.check_at = rollout->check_at;
  }
  return controller::check_again(first, pass_.clock.wall_now());
}

Task<void> BlueGreenPass::apply_deployment(std::string color) {
  auto& facts = facts_.of(color);
  auto applied = Result<void>();
  if (facts.has_spec) {
    auto result = co_await pass_.apply(deployment_of(bluegreen_, color));
    facts.is_kept = result.has_value();
    if (!result) applied = std::move(result).error();
  }
  KEELSON_CO_LET(const auto deployment, pass_.child<Deployment>(color_deployment_name(bluegreen_.name(), color)));
  if (deployment) {
    KEELSON_CO_LET(facts.rollout, controller::rollout_of(*deployment, pass_));
  }
  co_return applied;
}

Task<void> BlueGreenPass::apply_service() {
  KEELSON_CO_LET(const auto service, pass_.child<Service>(bluegreen_.name()));
  if (service) facts_.selected = selected_by(*service);
  if (!is_color(bluegreen_.spec.route_to)) co_return Result<void>();
  auto color = co_await color_to_serve();
  facts_.switch_failed = !color;
  auto selected = color ? *color : served();
  if (selected.empty()) selected = bluegreen_.spec.route_to;
  auto applied = co_await pass_.apply(service_of(bluegreen_, selected));
  if (applied) facts_.selected = selected_by(*applied);
  if (!color) co_return std::move(color).error();
  if (applied) co_return Result<void>();
  facts_.switch_failed |= *color == bluegreen_.spec.route_to;
  co_return std::move(applied).error();
}

Task<std::string> BlueGreenPass::color_to_serve() {
  const auto& target = bluegreen_.spec.route_to;
  const auto color = served();
  if (color.empty() || color == target) co_return target;
  KEELSON_CO_LET(const auto can, co_await can_switch());
  // During the wait, the watch may have reported the writes of the former leader.
  const auto now = served();
  co_return can || now.empty() ? target : now;
}

// A stale cache must not switch traffic to pods that are gone: the Deployment is read from the API server, and so is
// the Service, which the former leader may have changed.
Task<bool> BlueGreenPass::can_switch() {
  if (bluegreen_.spec.switch_policy == kWhenReady) {
    auto& target = facts_.of(bluegreen_.spec.route_to);
    if (!target.can_serve()) co_return false;
    const kube::Key key(bluegreen_.ns(), color_deployment_name(bluegreen_.name(), bluegreen_.spec.route_to));
    KEELSON_CO_LET(const auto deployment, co_await pass_.get_live<Deployment>(key));
    if (!deployment || !pass_.controls(*deployment)) co_return false;
    KEELSON_CO_LET(target.rollout, controller::rollout_of(*deployment, pass_));
    if (!target.can_serve()) co_return false;
  }
  KEELSON_CO_TRY(co_await pass_.consistent_read<Service>());
  co_return true;
}

// Deletes the Deployment of a color without a spec, unless it receives traffic or will receive it.
Task<void> BlueGreenPass::remove_deployment(std::string color) {
  auto& facts = facts_.of(color);
  if (facts.has_spec || color == facts_.selected || is_needed(color)) co_return Result<void>();
  KEELSON_CO_LET(const auto deployment, pass_.child<Deployment>(color_deployment_name(bluegreen_.name(), color)));
  if (!deployment || deployment->metadata.deletion_timestamp) co_return Result<void>();
  KEELSON_CO_TRY(co_await pass_.consistent_read<Service>());
  if (is_needed(color)) co_return Result<void>();
  KEELSON_CO_TRY(co_await pass_.remove(*deployment));
  if (!pass_.is_dry_run()) {
    pass_.log.info("Deleting the Deployment.",
                   {{"Deployment.Namespace", deployment->metadata.ns}, {"Deployment.Name", deployment->metadata.name}});
  }
  facts.rollout.reset();
  co_return Result<void>();
}

// Objects of an earlier CRD, without validation, may have any text as a color.
std::string BlueGreenPass::last_color() const {
  const auto& color = pass_.stored_status().route_to;
  return is_color(color) ? color : std::string();
}

// The color that receives traffic until there is a reason to switch; empty: none has received traffic yet. Our own last
// apply determines it, even if another client has changed the selector since, or no status was written after it. If
// another version has written the Service, or the Service is gone, the status determines it.
std::string BlueGreenPass::served() const {
  for (auto color : kColors) {
    if (pass_.was_applied(service_of(bluegreen_, color))) return std::string(color);
  }
  const auto service = pass_.child<Service>(bluegreen_.name());
  if (!last_color().empty() || !service || !*service) return last_color();
  return selected_by(**service);
}

// True if the color receives traffic, or may receive it next or again.
bool BlueGreenPass::is_needed(std::string_view color) const {
  const auto& target = bluegreen_.spec.route_to;
  if (!is_color(target) || color == target || color == served()) return true;
  const auto service = pass_.child<Service>(bluegreen_.name());
  return service && *service && color == selected_by(**service);
}

// A pass that was interrupted, as by a lost connection, proves neither that the reported failure is over nor that the
// newest spec has it.
void BlueGreenPass::retain_failure(const BlueGreenStatus& before) {
  const auto* stalled = kube::find_condition(before.conditions, "Stalled");
  if (stalled == nullptr || stalled->status != "True" || !is_failure_of_child(stalled->reason)) return;
  facts_.problem = {true, stalled->reason, stalled->message};
  facts_.generation = before.observed_generation;
}

Result<controller::RelatedObject> BlueGreenPass::related_deployment(std::string_view color) const {
  const auto name = color_deployment_name(bluegreen_.name(), color);
  controller::RelatedObject related{"apps/v1", "Deployment", bluegreen_.ns(), name, ""};
  KEELSON_LET(const auto deployment, pass_.child<Deployment>(name));
  if (deployment) related.uid = deployment->metadata.uid;
  return related;
}

// With the Deployment of the color, so that Events of both colors are not one series with the note of the first one.
Result<void> BlueGreenPass::warn(const kube::Condition& problem) {
  controller::EventDetails details;
  for (auto color : kColors) {
    if (!problem.message.starts_with(std::string(color) + ": ")) continue;
    KEELSON_LET(details.related, related_deployment(color));
  }
  pass_.warning(problem.reason, problem.message, std::move(details));
  return Result<void>();
}

Task<void> BlueGreenPass::report() {
  auto before = pass_.stored_status();
  before.route_to = last_color();
  if (const auto& problem = pass_.problem(); problem && problem->readiness == kube::Readiness::kStalled) {
    facts_.problem = {true, problem->reason, problem->message};
  }
  if (!pass_.problem() && !failed_.empty()) retain_failure(before);
  const auto after = compute_bluegreen_status(before, facts_, pass_.clock.wall_now());
  pass_.set_status(after);
  if (is_urgent(before, after)) pass_.report_immediately();
  auto event = news(before, after);
  // Apply records the Events of children that it cannot write.
  const auto* problem = new_trouble(before, after);
  if (facts_.problem) problem = nullptr;
  if (!event && problem == nullptr) co_return Result<void>();
  KEELSON_CO_LET(const auto is_written, co_await pass_.write_status());
  if (!is_written) co_return Result<void>();
  if (problem != nullptr) {
    KEELSON_CO_TRY(warn(*problem));
  }
  if (!event) co_return Result<void>();
  KEELSON_CO_LET(auto related, related_deployment(bluegreen_.spec.route_to));
  pass_.event(std::move(event->reason), std::move(event->message), {"Switch", std::move(related)});
  co_return Result<void>();
}

Reconciled reconcile(const BlueGreen& bluegreen, Pass<BlueGreen>& pass) {
  BlueGreenPass blue_green(bluegreen, pass);
  co_return co_await blue_green.run();
}

}  // namespace

controller::Definition bluegreen() {
  const auto owner = kube::resource_of<BlueGreen>();
  const controller::WatchOptions deployments{.content = json::Projection::of({{"spec"}, {"status"}}),
                                             .only_compares_generations = true};
  // The labels of the pods, and of their ReplicaSets.
  const auto labelled = *kube::Selector::parse("app.kubernetes.io/managed-by=" + std::string(kManagedBy) + "," +
                                               std::string(kPhaseLabel));
  const auto by_label = controller::map_by_label(owner, std::string(kNameLabel));
  const controller::WatchOptions services{.content = json::Projection::of({{"spec"}})};
  return controller_for<BlueGreen>(reconcile)
      .owns<Deployment>(deployments)
      .owns<Service>(services, controller::Deletion::kNeverDeletes)
      .watches<apps::v1::ReplicaSet>(by_label, controller::replica_sets_of_rollouts(labelled))
      .watches<core::v1::Pod>(by_label, controller::pods_of_rollouts(labelled));
}

}  // namespace keelson::kinds
