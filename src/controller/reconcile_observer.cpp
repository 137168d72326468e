#include "src/controller/reconcile_observer.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "keelson/detail/controller/pause.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/kube/object_changes.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

constexpr int kCreatedCode = 201;

// Of an object before and after a write together. Larger ones are not compared: that would delay all other reconciles.
constexpr std::size_t kComparedBytes = std::size_t{256} << 10;

bool is_stateless_review(const kube::Resource& resource) {
  return resource.group == "authentication.k8s.io" || resource.group == "authorization.k8s.io";
}

// A hash of the desired state, which changes along with a field that is recorded.
bool is_own_annotation(const std::string& field) { return field.ends_with("/applied-hash\"]"); }

RecordedWrite::Effect effect_of(const Result<kube::ApiReply>& reply) {
  if (reply) return reply->code == kCreatedCode ? RecordedWrite::Effect::kCreated : RecordedWrite::Effect::kChanged;
  const bool is_answer = reply.error().kind == Error::Kind::kStatus;
  return is_answer ? RecordedWrite::Effect::kRejected : RecordedWrite::Effect::kUnknown;
}

// The key in the reply to a create, whose request has no name.
kube::Key created_key(const kube::Key& requested, const Result<kube::ApiReply>& reply) {
  if (!requested.name.empty() || !reply) return requested;
  const auto metadata = json::scan_metadata(reply->body);
  return metadata ? kube::Key(requested.ns, metadata->name) : requested;
}

std::string object_json(const kube::Key& key) {
  json::Writer writer;
  writer.begin_object().field("name", key.name);
  if (!key.ns.empty()) writer.field("namespace", key.ns);
  writer.end_object();
  return std::move(writer).take();
}

ReconcileResult result_of(const Verdict& verdict) {
  if (verdict.count == Verdict::Count::kRequeueAfter) return ReconcileResult::kRequeue;
  if (verdict.count == Verdict::Count::kSuccess) return ReconcileResult::kSuccess;
  return verdict.is_terminal ? ReconcileResult::kTerminal : ReconcileResult::kError;
}

}  // namespace

ReconcileObserver::ReconcileObserver(const ObserverParts& parts, ControllerMetrics& metrics, const queue::Item& item)
    : parts_(parts),
      metrics_(metrics),
      item_(item),
      key_(parse_key(item.key)),
      begun_(parts.context.clock.now()),
      log_(parts.log) {}

Attempt ReconcileObserver::began() {
  begun_ = parts_.context.clock.now();
  if (history() != nullptr) begin_record();
  log_ = make_log();
  log_.debug("Reconciling", {}, 5);
  const bool is_observed = history() != nullptr || spans_;
  return {key_, log_, is_observed ? *this : client(), this};
}

// The spans begin here because the log has the identifier of their trace.
Logger ReconcileObserver::make_log() {
  const auto reconcile_id = parts_.context.random.uuid();
  auto made = parts_.log.with({{parts_.definition.resource().kind, LogValue::json(object_json(key_))},
                               {"namespace", key_.ns},
                               {"name", key_.name},
                               {"reconcileID", reconcile_id},
                               {"reason", item_.reasons.empty() ? "requeue" : base::join(item_.reasons, ", ")}});
  if (parts_.tracer == nullptr) return made;
  spans_.emplace(*parts_.tracer, parts_.context.clock, parts_.definition, item_, reconcile_id);
  return made.with({{"trace_id", spans_->trace_id()}});
}

// Reasons without a note are events of the object itself, or have no object.
void ReconcileObserver::begin_record() {
  record_.began = parts_.context.clock.wall_now();
  record_.waited = item_.waited;
  record_.reasons = history()->take_reasons(parts_.history.controller, key_);
  const auto noted = record_.reasons;
  for (const auto& reason : item_.reasons) {
    const auto id = history()->texts.id_of(reason);
    if (std::ranges::find(noted, id, &RecordedReason::reason) != noted.end()) continue;
    const bool is_own = reason.starts_with(parts_.definition.resource().kind + " ");
    record_.reasons.push_back({id, {is_own ? RecordedName::Form::kSelf : RecordedName::Form::kNone, ""}});
  }
  if (record_.reasons.size() > limits::kRecordedReasons) {
    record_.reasons.resize(limits::kRecordedReasons);
    record_.is_complete = false;
  }
}

void ReconcileObserver::ended(const Verdict& verdict, const Result<Outcome>& result,
                              const std::optional<kube::Object>& object) {
  count(verdict);
  log(verdict, result);
  if (spans_) spans_->end(verdict, result ? nullptr : &result.error());
  const auto now = parts_.context.clock.now();
  record_.lasted = now - begun_;
  metrics_.observe(record_.lasted);
  parts_.pace.count(item_.key, now);
  const bool has_failed = verdict.count == Verdict::Count::kError;
  parts_.notes.observe(item_.key, record_.lasted, has_failed ? &result.error() : nullptr, now);
  if (result) parts_.blocked.settled(key_, blockers_);
  if (history() != nullptr) record(verdict, result, object);
}

void ReconcileObserver::count(const Verdict& verdict) {
  switch (verdict.count) {
    case Verdict::Count::kSuccess:
      metrics_.success.increment();
      return;
    case Verdict::Count::kRequeueAfter:
      metrics_.requeue_after.increment();
      return;
    case Verdict::Count::kNone:
      return;
    case Verdict::Count::kError:
      metrics_.error.increment();
      metrics_.errors.increment();
      if (verdict.is_terminal) metrics_.terminal_errors.increment();
      return;
  }
}

void ReconcileObserver::log(const Verdict& verdict, const Result<Outcome>& result) const {
  switch (verdict.log) {
    case Verdict::Log::kError:
      log_.error(result.error(), "Reconciler error");
      return;
    case Verdict::Log::kQuiet:
      log_.debug("Reconciler error", {{"error", result.error().message()}});
      return;
    case Verdict::Log::kDetail:
      if (verdict.queue == Verdict::Queue::kForget) return log_.debug("Reconcile successful", {}, 5);
      log_.debug("Reconcile done, requeueing after " + base::format_go_duration(verdict.delay), {}, 5);
  }
}

void ReconcileObserver::record(const Verdict& verdict, const Result<Outcome>& result,
                               const std::optional<kube::Object>& object) {
  const auto& context = parts_.context;
  const auto state = parts_.queue.state_of(item_.key);
  record_.retries = state.retries;
  record_.result = result_.value_or(result_of(verdict));
  if (!result) record_.error = history()->errors.add(result.error().message(), key_);
  if (result && !object) record_.result = ReconcileResult::kGone;
  if (result && object && pause_of(*object, context.client.operator_name(), context.clock.wall_now())) {
    record_.result = ReconcileResult::kPaused;
  }
  if (verdict.queue == Verdict::Queue::kAddAfter) record_.after = verdict.delay;
  if (verdict.queue == Verdict::Queue::kAddWithDelay && state.place == queue::KeyState::Place::kWaiting) {
    record_.after = state.since - context.clock.now();
  }
  history()->add(parts_.history.controller, key_, record_);
}

void ReconcileObserver::note_read(const kube::Resource& resource, Read read) {
  if (history() == nullptr) return;
  const auto kind = history()->texts.id_of(resource.kind);
  auto& reads = record_.reads;
  auto found = std::ranges::find(reads, kind, &RecordedRead::kind);
  if (found == reads.end()) {
    if (reads.size() == limits::kRecordedReads) {
      record_.is_complete = false;
      return;
    }
    found = reads.insert(reads.end(), {kind});
  }
  auto& number = read == Read::kCached ? found->cached : found->consistent;
  if (number < 255) ++number;
}

void ReconcileObserver::note_blocked(const kube::Resource& resource, const kube::Key& name) {
  const auto [blocker, is_new] = blockers_.emplace(resource.qualified_plural(), name);
  if (is_new) parts_.blocked.add(key_, *blocker);
}

void ReconcileObserver::note_write(RecordedWrite write, const kube::Key& object,
                                   const std::optional<kube::Object>& before,
                                   const std::optional<kube::Object>& after) {
  if (record_.writes.size() == limits::kRecordedWrites) {
    record_.is_complete = false;
    return;
  }
  write.object = RecordedName::of(object, key_);
  const bool is_change = write.effect == RecordedWrite::Effect::kChanged && before && after &&
                         before->uid() == after->uid() && !before->same_block(*after);
  const bool is_too_large = is_change && before->json().size() + after->json().size() > kComparedBytes;
  if (is_too_large) record_.is_complete = false;
  if (is_change && !is_too_large) {
    // One more than is recorded, in case of our annotation.
    for (const auto& field : kube::changed_fields(*before, *after, limits::kRecordedFields + 1)) {
      if (is_own_annotation(field) || write.fields.size() == limits::kRecordedFields) continue;
      write.fields.push_back(history()->texts.id_of(field));
    }
  }
  record_.writes.push_back(std::move(write));
}

Task<kube::ApiReply> ReconcileObserver::send(kube::ApiRequest request) {
  const bool is_read = request.verb < kube::Verb::kCreate;
  if (is_read && request.raw_path.empty()) note_read(request.resource, Read::kConsistent);
  RequestSpan span(spans_ ? &*spans_ : nullptr, request);
  if (is_read || is_stateless_review(request.resource) || history() == nullptr) {
    auto reply = co_await client().send(std::move(request));
    span.end(reply);
    co_return reply;
  }
  const auto resource = request.resource;
  const auto key = request.key;
  RecordedWrite write;
  write.verb = request.verb;
  write.kind = history()->texts.id_of(resource.kind + (request.subresource.empty() ? "" : "/") + request.subresource);
  const auto before = cached(resource, key);
  auto reply = co_await client().send(std::move(request));
  span.end(reply);
  write.effect = effect_of(reply);
  note_write(std::move(write), created_key(key, reply), before, cached(resource, key));
  co_return reply;
}

std::optional<kube::Object> ReconcileObserver::cached(const kube::Resource& resource, const kube::Key& key) const {
  const auto informer = parts_.context.cache.find(resource);
  return informer ? (*informer)->get(key) : std::nullopt;
}

}  // namespace keelson::controller
