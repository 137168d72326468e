#include "src/controller/reconcile_trace.hpp"

#include <algorithm>
#include <utility>

#include "keelson/controller/limits.hpp"
#include "keelson/json/metadata.hpp"
#include "keelson/kube/object_changes.hpp"
#include "src/controller/reconcile_policy.hpp"

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

}  // namespace

// Reasons without a note are events of the object itself, or have no object.
ReconcileTrace::ReconcileTrace(ReconcileTraces& traces, async::Clock& clock, const queue::Item& item)
    : traces_(traces), key_(parse_key(item.key)) {
  auto& history = traces_.history_;
  record_.began = clock.wall_now();
  record_.waited = item.waited;
  record_.reasons = history.take_reasons(traces_.controller_, key_);
  const auto noted = record_.reasons.size();
  for (const auto& reason : item.reasons) {
    const auto id = history.texts.id_of(reason);
    const auto has_note = std::any_of(record_.reasons.begin(), record_.reasons.begin() + static_cast<long>(noted),
                                      [&](const auto& other) { return other.reason == id; });
    if (has_note) continue;
    const bool is_own = reason.starts_with(traces_.own_.kind + " ");
    record_.reasons.push_back({id, {is_own ? RecordedName::Form::kSelf : RecordedName::Form::kNone, ""}});
  }
  if (record_.reasons.size() > limits::kRecordedReasons) {
    record_.reasons.resize(limits::kRecordedReasons);
    record_.is_complete = false;
  }
  traces_.running_.push_back(this);
}

ReconcileTrace::~ReconcileTrace() { std::erase(traces_.running_, this); }

const kube::OperatorName& ReconcileTrace::operator_name() const { return traces_.client_.operator_name(); }

asio::awaitable<Result<kube::ApiReply>> ReconcileTrace::send(kube::ApiRequest request) {
  return traces_.send_for(key_, std::move(request));
}

asio::awaitable<Result<std::unique_ptr<net::Stream>>> ReconcileTrace::stream(kube::ApiRequest request) {
  return traces_.client_.stream(std::move(request));
}

void ReconcileTrace::note_read(const kube::Resource& resource, Read read) {
  const auto kind = traces_.history_.texts.id_of(resource.kind);
  auto& reads = record_.reads;
  auto found = std::find_if(reads.begin(), reads.end(), [&](const auto& other) { return other.kind == kind; });
  if (found == reads.end()) {
    if (reads.size() == limits::kRecordedReads) {
      record_.is_complete = false;
      return;
    }
    found = reads.insert(reads.end(), {kind});
  }
  auto& count = read == Read::kCached ? found->cached : found->consistent;
  if (count < 255) ++count;
}

void ReconcileTrace::note_write(RecordedWrite write, const kube::Key& object, const std::optional<kube::Object>& before,
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
      write.fields.push_back(traces_.history_.texts.id_of(field));
    }
  }
  record_.writes.push_back(std::move(write));
}

asio::awaitable<Result<kube::ApiReply>> ReconcileTraces::send(kube::ApiRequest request) {
  if (request.resource != own_ || find(request.key) == nullptr) return client_.send(std::move(request));
  auto key = request.key;
  return send_for(std::move(key), std::move(request));
}

// A request of a background task may outlive the reconcile, so the trace is looked up again after the reply.
asio::awaitable<Result<kube::ApiReply>> ReconcileTraces::send_for(kube::Key reconciled, kube::ApiRequest request) {
  const bool is_write = request.verb >= kube::Verb::kCreate && !is_stateless_review(request.resource);
  const auto resource = request.resource;
  const auto key = request.key;
  auto* running = find(reconciled);
  RequestSpan span(running == nullptr ? nullptr : running->spans(), request);
  if (!is_write) {
    if (request.verb >= kube::Verb::kCreate || !request.raw_path.empty()) running = nullptr;
    if (running != nullptr) running->note_read(resource, ReconcileTrace::Read::kConsistent);
    auto read = co_await client_.send(std::move(request));
    span.end(read);
    co_return read;
  }
  RecordedWrite write;
  write.verb = request.verb;
  write.kind = history_.texts.id_of(resource.kind + (request.subresource.empty() ? "" : "/") + request.subresource);
  const auto before = cached(resource, key);
  auto reply = co_await client_.send(std::move(request));
  span.end(reply);
  write.effect = effect_of(reply);
  auto* trace = find(reconciled);
  if (trace != nullptr) trace->note_write(std::move(write), created_key(key, reply), before, cached(resource, key));
  co_return reply;
}

ReconcileTrace* ReconcileTraces::find(const kube::Key& key) const {
  const auto found =
      std::find_if(running_.begin(), running_.end(), [&](const auto* each) { return each->key() == key; });
  return found == running_.end() ? nullptr : *found;
}

void ReconcileTraces::note_event(const kube::Key& key, std::string_view reason, const kube::Key& object) {
  history_.add_reason(controller_, key, {history_.texts.id_of(reason), RecordedName::of(object, key)});
}

std::optional<kube::Object> ReconcileTraces::cached(const kube::Resource& resource, const kube::Key& key) const {
  const auto informer = cache_.find(resource);
  return informer ? (*informer)->get(key) : std::nullopt;
}

}  // namespace keelson::controller
