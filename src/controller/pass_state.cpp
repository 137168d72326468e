#include "keelson/detail/controller/pass_state.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/controller/finalizer.hpp"
#include "src/controller/conflict_policy.hpp"
#include "src/controller/consistent_read.hpp"
#include "src/controller/failure_policy.hpp"
#include "src/controller/pause_reporter.hpp"
#include "src/controller/request_policy.hpp"
#include "src/controller/settled_children.hpp"
#include "src/controller/status_writer.hpp"
#include "src/controller/write_metrics.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

PauseReporter::Conditions conditions_of(const kube::Description* status) {
  const auto has_conditions = status != nullptr && std::ranges::any_of(status->fields(), [](const auto& field) {
                                return field.name == "conditions";
                              });
  return has_conditions ? PauseReporter::Conditions::kOfStatus : PauseReporter::Conditions::kNone;
}

Outcome outcome_of(std::optional<async::Duration> delay) {
  return delay ? Outcome::requeue_after(*delay) : Outcome::done();
}

}  // namespace

PassState::PassState(Context& passes_context, kube::Resource kind, const kube::Description* status_description,
                     bool shares_status)
    : context(passes_context),
      resource(std::move(kind)),
      informer(context.informer(resource)),
      status_description_(status_description),
      shares_status_(shares_status),
      consistent_read_(std::make_unique<ConsistentRead>(context)),
      status_writer_(std::make_unique<StatusWriter>(context.clock, resource)),
      pause_reporter_(std::make_unique<PauseReporter>(context.clock, resource, conditions_of(status_description))),
      settled_children_(std::make_unique<SettledChildren>()),
      conflicts_(std::make_unique<ConflictPolicy>()),
      failures_(std::make_unique<FailurePolicy>()),
      write_metrics_(std::make_unique<WriteMetrics>(
          context.registry, context.definition == nullptr ? resource.plural : context.definition->name(),
          [this] { return conflicts_->contested(context.clock.now()); })) {}

PassState::~PassState() = default;

Task<std::optional<Outcome>> PassState::write_status(kube::Client& client, kube::Object object, std::string status,
                                                     bool is_immediate) {
  StatusChange change;
  change.text = std::move(status);
  change.fields = status_description_;
  if (shares_status_) change.form = StatusChange::Form::kPatch;
  if (!is_immediate) change.urgency = StatusChange::Urgency::kCoalesced;
  const auto key = object.key();
  const std::string uid(object.uid());
  auto written = co_await status_writer_->write(client, std::move(object), std::move(change));
  // The watch has not reported the deletion yet.
  if (written && !*written) informer.observe_delete(key, uid);
  co_return written;
}

void PassState::forget_status(const kube::Key& key) { status_writer_->forget(key); }

void PassState::count_unchanged_status() { write_metrics_->unchanged(); }

std::optional<Pause> PassState::pause_of(const kube::Object& object) const {
  return controller::pause_of(object, context.client.operator_name(), context.clock.wall_now());
}

Task<Outcome> PassState::stay_paused(Attempt& attempt, kube::Object object, Pause pause) {
  // The status that was held back is computed again after the pause.
  forget_status(object.key());
  const auto until = pause.until;
  KEELSON_CO_TRY(co_await pause_reporter_->report(attempt.client, std::move(object), std::move(pause), attempt.log));
  co_return outcome_of(delay_of(until, context.clock.wall_now()));
}

void PassState::note_resumed(const Attempt& attempt) { pause_reporter_->note_resumed(attempt.key, attempt.log); }

Task<std::optional<kube::Object>> PassState::end_pause(Attempt& attempt, kube::Object object) {
  const auto key = object.key();
  KEELSON_CO_LET(const bool exists, co_await pause_reporter_->end(attempt.client, std::move(object)));
  co_return exists ? informer.get(key) : std::nullopt;
}

Task<Outcome> PassState::report_children(kube::Client& client, kube::Object object, std::vector<PausedChild> children,
                                         Logger log) {
  std::optional<async::Duration> delay;
  for (const auto& child : children) {
    const auto other = delay_of(child.pause.until, context.clock.wall_now());
    if (other && (!delay || *other < *delay)) delay = other;
  }
  KEELSON_CO_TRY(co_await pause_reporter_->report(client, std::move(object), std::move(children), std::move(log)));
  co_return outcome_of(delay);
}

bool PassState::has_logged_children(const kube::Key& key) const { return pause_reporter_->has_logged_children(key); }
void PassState::forget(const kube::Key& key) {
  forget_status(key);
  pause_reporter_->forget(key);
  failures_->succeeded(key);
}

Task<Outcome> PassState::add_finalizer(Attempt& attempt, kube::Object object, std::string name) {
  const auto patch = add_finalizer_patch(object, name);
  KEELSON_CO_TRY(co_await kube::patch(attempt.client, resource, object.key(), kube::PatchType::kJson, *patch));
  // A predicate may filter the event of this change.
  co_return Outcome::requeue_after(async::Duration::zero());
}

Task<Outcome> PassState::remove_finalizer(Attempt& attempt, kube::Object object, std::string name) {
  forget_status(object.key());
  const auto patch = remove_finalizer_patch(object, name);
  auto removed = co_await kube::patch(attempt.client, resource, object.key(), kube::PatchType::kJson, *patch);
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed).error();
  co_return Outcome::done();
}

}  // namespace keelson::controller
