#include "src/controller/object_view.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/pause.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "keelson/kube/typed_object.hpp"
#include "src/controller/condition_text.hpp"
#include "src/controller/request_policy.hpp"

namespace keelson::controller {

namespace {

using Place = queue::KeyState::Place;

const TextTable& texts_of(const ObjectView& view) { return view.history->texts; }

// "Deployment updated" of "default/web" is "Deployment default/web updated".
std::string reason_text(const TextTable& texts, const RecordedReason& reason, const kube::Key& key) {
  const auto& text = texts.text_of(reason.reason);
  const auto object = reason.object.text_for(key);
  const auto space = text.find(' ');
  if (object.empty() || space == std::string::npos) return text;
  return text.substr(0, space + 1) + object + text.substr(space);
}

std::vector<std::string> reason_texts(const TextTable& texts, const std::vector<RecordedReason>& reasons,
                                      const kube::Key& key) {
  std::vector<std::string> all;
  for (const auto& reason : reasons) all.push_back(reason_text(texts, reason, key));
  if (all.empty()) all.emplace_back("requeue");
  return all;
}

const char* effect_text(const RecordedWrite& write) {
  switch (write.effect) {
    case RecordedWrite::Effect::kCreated:
      return "created";
    case RecordedWrite::Effect::kRejected:
      return "rejected";
    case RecordedWrite::Effect::kUnknown:
      return "no reply";
    case RecordedWrite::Effect::kChanged:
      break;
  }
  return write.verb >= kube::Verb::kDelete ? "deleted" : "changed";
}

// "Deployment default/web", "Memcached/status default/web"
std::string written_object(const ObjectView& view, const RecordedWrite& write) {
  return texts_of(view).text_of(write.kind) + " " + write.object.text_for(view.key);
}

void read_status(ObjectView& view) {
  const auto fields = kube::Fields::of(*view.object);
  if (!fields) return;
  view.observed_generation = fields->root().find("status").find("observedGeneration").integer();
  view.conditions = conditions_of(*view.object);
}

std::string unsynced(const RunningController& controller) {
  std::vector<std::string> kinds;
  for (const auto* informer : controller.sources().informers()) {
    if (informer->has_synced()) continue;
    const auto problem = informer->problem();
    kinds.push_back(informer->resource().qualified_plural() + (problem.empty() ? "" : ": " + problem));
  }
  return base::join(kinds, "; ");
}

// A cache that has never synced is incomplete, which is another answer.
std::string stale(const RunningController& controller) {
  std::vector<std::string> kinds;
  for (const auto* informer : controller.sources().informers()) {
    const auto failing_for = informer->failing_for();
    if (!informer->has_synced() || failing_for <= async::Duration(0)) continue;
    kinds.push_back(informer->resource().qualified_plural() + " for " + short_duration_text(failing_for) + ": " +
                    informer->problem());
  }
  return base::join(kinds, "; ");
}

ExplainFacts::Last last_of(ReconcileResult result) {
  switch (result) {
    case ReconcileResult::kSuperseded:
      return ExplainFacts::Last::kSuperseded;
    case ReconcileResult::kError:
      return ExplainFacts::Last::kError;
    case ReconcileResult::kTerminal:
      return ExplainFacts::Last::kTerminal;
    case ReconcileResult::kPanic:
      return ExplainFacts::Last::kPanic;
    case ReconcileResult::kTimeout:
      return ExplainFacts::Last::kTimeout;
    default:
      return ExplainFacts::Last::kSuccess;
  }
}

void read_conditions(const ObjectView& view, ExplainFacts& facts) {
  for (const auto& condition : view.conditions) {
    if (condition.type == "Ready" && condition.status != "True") facts.not_ready = text_since(condition);
    if (condition.status != "True") continue;
    if (condition.type == kConflictCondition) facts.conflict = condition.message;
    if (condition.type == "Degraded") facts.degraded = text_since(condition);
    if (condition.type == "Reconciling" || condition.type == "Progressing") facts.progressing = text_since(condition);
    if (condition.type == "Stalled") facts.stalled = condition.reason + ": " + condition.message;
    const bool is_child = condition.type == kPausedCondition && condition.reason == kChildPausedReason;
    if (is_child) facts.child_pause = condition.message;
  }
}

std::string busy_text(const BusyKey& busy) {
  if (busy.immediate > 0) {
    return "its last " + base::counted(static_cast<std::uint64_t>(busy.immediate), "reconcile") +
           " requested the next one without a delay";
  }
  return busy.reconciles == 0 ? "" : base::counted(busy.reconciles, "time") + " within a minute";
}

// A reconcile may have succeeded whose status is written within a second.
std::string unwritten_status(const ObjectView& view) {
  if (!view.observed_generation || *view.observed_generation >= view.object->generation()) return "";
  return "the status does not have generation " + std::to_string(view.object->generation()) + " yet";
}

ExplainFacts facts_of(const ObjectView& view) {
  const auto& context = view.controller.context();
  const auto now = context.clock.now();
  ExplainFacts facts;
  facts.kind = view.controller.definition().resource().qualified_plural();
  facts.ns = view.key.ns;
  facts.name = view.key.name;
  facts.is_started = view.controller.has_started();
  facts.unsynced = unsynced(view.controller);
  facts.stale = stale(view.controller);
  facts.exists = view.object.has_value();
  facts.is_dry_run = context.is_dry_run();
  facts.has_history = view.history != nullptr;
  const auto& controller_pause = view.controller.pauses().state();
  if (controller_pause) {
    facts.controller_pause = view.controller.definition().name() + " has been paused " + controller_pause->text();
  }
  facts.retries = view.queue.retries;
  facts.busy = busy_text(view.controller.busy(view.key));
  if (view.queue.in_progress) facts.in_progress = now - *view.queue.in_progress;
  if (view.queue.place == Place::kReady) facts.queued = now - view.queue.since;
  if (view.queue.place == Place::kWaiting) facts.delay = std::max(view.queue.since - now, async::Duration(0));
  if (view.object) {
    facts.is_deleting = view.object->deleting();
    const auto pause = pause_of(*view.object, context.client.operator_name(), context.clock.wall_now());
    if (pause) facts.pause = pause->message;
  }
  read_conditions(view, facts);
  if (facts.progressing.empty()) facts.progressing = unwritten_status(view);
  if (view.records.empty()) return facts;
  const auto& last = view.records.front();
  facts.last = last_of(last.result);
  facts.error = view.history->errors.text_of(last.error, view.key);
  std::vector<std::string> written;
  for (const auto& write : last.writes) written.push_back(written_object(view, write));
  facts.written = base::join(written, ", ");
  return facts;
}

const char* queue_text(const queue::KeyState& state) {
  if (state.in_progress) return "in progress";
  switch (state.place) {
    case Place::kWaiting:
      return "waiting";
    case Place::kReady:
      return "queued";
    default:
      return "not queued";
  }
}

void write_queue(json::Writer& writer, const ObjectView& view) {
  const auto& clock = view.controller.context().clock;
  const auto wall = [&](async::TimePoint time) { return time_text(clock.wall_now() + (time - clock.now())); };
  writer.begin_object().field("state", queue_text(view.queue)).field("retries", view.queue.retries);
  if (view.queue.in_progress) writer.field("inProgressSince", wall(*view.queue.in_progress));
  if (view.queue.place == Place::kReady) writer.field("queuedSince", wall(view.queue.since));
  if (view.queue.place == Place::kWaiting) writer.field("nextRun", wall(view.queue.since));
  writer.field("againAfterProgress", view.queue.place == Place::kHeldBack);
  writer.key("reasons").begin_array();
  for (const auto& reason : view.queued_reasons) writer.string(reason);
  writer.end_array().end_object();
}

void write_object(json::Writer& writer, const ObjectView& view) {
  writer.begin_object().field("exists", view.object.has_value());
  if (view.object) {
    writer.field("generation", view.object->generation()).field("deleting", view.object->deleting());
    writer.field("paused", !view.facts.pause.empty());
    if (view.observed_generation) writer.field("observedGeneration", *view.observed_generation);
    writer.key("conditions").begin_array();
    for (const auto& condition : view.conditions) {
      writer.begin_object().field("type", condition.type).field("status", condition.status);
      writer.field("reason", condition.reason).field("message", condition.message).end_object();
    }
    writer.end_array();
  }
  writer.end_object();
}

void write_record(json::Writer& writer, const ObjectView& view, const ReconcileRecord& record) {
  const auto& texts = texts_of(view);
  writer.begin_object().field("began", time_text(record.began)).field("result", result_name(record.result));
  writer.field("queued", short_duration_text(record.waited)).field("lasted", short_duration_text(record.lasted));
  if (record.after > async::Duration(0)) writer.field("nextAfter", short_duration_text(record.after));
  writer.field("retries", record.retries);
  if (record.error != 0) writer.field("error", view.history->errors.text_of(record.error, view.key));
  writer.key("reasons").begin_array();
  for (const auto& reason : reason_texts(texts, record.reasons, view.key)) writer.string(reason);
  writer.end_array().key("reads").begin_array();
  for (const auto& read : record.reads) {
    writer.begin_object().field("kind", texts.text_of(read.kind)).field("cached", int{read.cached});
    writer.field("consistent", int{read.consistent}).end_object();
  }
  writer.end_array().key("writes").begin_array();
  for (const auto& write : record.writes) {
    writer.begin_object().field("verb", kube::verb_name(write.verb)).field("effect", effect_text(write));
    writer.field("kind", texts.text_of(write.kind)).field("object", write.object.text_for(view.key));
    writer.key("fields").begin_array();
    for (const auto field : write.fields) writer.string(texts.text_of(field));
    writer.end_array().end_object();
  }
  writer.end_array().field("complete", record.is_complete).end_object();
}

std::string state_text(const ObjectView& view) {
  if (!view.object) return "not observed";
  auto text = "generation " + std::to_string(view.object->generation());
  if (view.observed_generation) text += ", observed " + std::to_string(*view.observed_generation);
  if (view.object->deleting()) text += ", being deleted";
  if (!view.facts.pause.empty()) text += ", paused";
  for (const auto& condition : view.conditions) {
    text += "\n            " + condition.type + "=" + condition.status + " " + condition.reason;
    if (!condition.message.empty()) text += ": " + condition.message;
  }
  return text;
}

std::string queue_line(const ObjectView& view) {
  std::string text = queue_text(view.queue);
  const auto& facts = view.facts;
  if (facts.in_progress) text += " for " + short_duration_text(*facts.in_progress);
  if (facts.queued) text += " for " + short_duration_text(*facts.queued);
  if (facts.delay) text += ", next reconcile in " + short_duration_text(*facts.delay);
  if (view.queue.place == Place::kHeldBack) text += ", and queued again";
  if (facts.retries > 0) {
    text += ", " + base::counted(static_cast<std::uint64_t>(facts.retries), "failure") + " in a row";
  }
  if (!view.queued_reasons.empty()) text += ": " + base::join(view.queued_reasons, ", ");
  return text;
}

std::string record_text(const ObjectView& view, const ReconcileRecord& record) {
  const auto& texts = texts_of(view);
  auto text = "  " + time_text(record.began) + "  " + std::string(result_name(record.result)) + " in " +
              short_duration_text(record.lasted) + ", " + short_duration_text(record.waited) + " in the queue";
  if (record.after > async::Duration(0)) text += ", next after " + short_duration_text(record.after);
  text += "\n    because  " + base::join(reason_texts(texts, record.reasons, view.key), ", ") + "\n";
  std::vector<std::string> reads;
  for (const auto& read : record.reads) {
    const auto& kind = texts.text_of(read.kind);
    if (read.cached > 0) reads.push_back(std::to_string(read.cached) + " " + kind);
    if (read.consistent > 0) reads.push_back(std::to_string(read.consistent) + " " + kind + " (consistent)");
  }
  if (!reads.empty()) text += "    read     " + base::join(reads, ", ") + "\n";
  for (const auto& write : record.writes) {
    std::vector<std::string> fields;
    for (const auto field : write.fields) fields.push_back(texts.text_of(field));
    text += std::string("    ") + effect_text(write) +
            std::string(9 - std::string_view(effect_text(write)).size(), ' ') + written_object(view, write) +
            (fields.empty() ? "" : ": " + base::join(fields, ", ")) + "\n";
  }
  if (record.error != 0) {
    const auto error = view.history->errors.text_of(record.error, view.key);
    text += "    error    " + (error.empty() ? "its text is not stored any more, but it is in the log" : error) + "\n";
  }
  return text;
}

}  // namespace

ObjectView view_of(const RunningController& controller, const ReconcileHistory* history, const kube::Key& key) {
  // The first informer is that of the controller's own kind.
  ObjectView view{controller, history, key, controller.sources().informers().front()->get(key)};
  view.queue = controller.queue().state_of(key.text());
  if (view.object) read_status(view);
  const auto id = history_id(controller);
  if (history != nullptr && id) {
    view.records = history->records(*id, key);
    const auto reasons = history->reasons(*id, key);
    if (!reasons.empty()) view.queued_reasons = reason_texts(history->texts, reasons, key);
  }
  view.facts = facts_of(view);
  return view;
}

void write_json(json::Writer& writer, const ObjectView& view) {
  const auto& definition = view.controller.definition();
  const auto explanation = explain(view.facts);
  writer.begin_object().field("controller", definition.name()).field("kind", definition.resource().kind);
  writer.field("apiVersion", definition.resource().api_version());
  writer.field("namespace", view.key.ns).field("name", view.key.name);
  writer.field("time", time_text(view.controller.context().clock.wall_now()));
  writer.key("answer");
  write_json(writer, explanation);
  writer.key("object");
  write_object(writer, view);
  writer.key("queue");
  write_queue(writer, view);
  writer.key("reconciles").begin_array();
  for (const auto& record : view.records) write_record(writer, view, record);
  writer.end_array().end_object();
}

void write_json(json::Writer& writer, const Explanation& explanation) {
  writer.begin_object().field("name", explanation.answer.name).field("text", explanation.text);
  writer.field("remedy", explanation.remedy).end_object();
}

std::string view_text(const ObjectView& view) {
  const auto& definition = view.controller.definition();
  const auto explanation = explain(view.facts);
  auto text = definition.resource().kind + " " + view.key.text() + ", controller " + definition.name() + "\n";
  text += "  object    " + state_text(view) + "\n";
  text += "  queue     " + queue_line(view) + "\n";
  if (!view.records.empty()) text += "\nLast reconciles\n";
  for (const auto& record : view.records) text += record_text(view, record);
  text += "\n" + explanation.text + "\n";
  if (!explanation.remedy.empty()) text += explanation.remedy + "\n";
  // A message may have anything.
  return base::for_terminal(std::move(text));
}

std::string time_text(async::WallTime time) {
  return base::format_rfc3339(std::chrono::floor<std::chrono::seconds>(time));
}

std::optional<ReconcileHistory::ControllerId> history_id(const RunningController& controller) {
  const auto& own = controller.history();
  return own.all == nullptr ? std::nullopt : std::optional(own.controller);
}

}  // namespace keelson::controller
