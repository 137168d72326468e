#include "src/controller/reconcile_spans.hpp"

#include <utility>

namespace keelson::controller {

namespace {
using tracing::Attribute;
using tracing::Span;

constexpr const char* kErrorType = "error.type";

// As OpenTelemetry's HTTP conventions: the status if there is one.
std::string error_type(const Error& error) {
  switch (error.kind) {
    case Error::Kind::kStatus:
      return std::to_string(error.code);
    case Error::Kind::kTransport:
      return "transport";
    case Error::Kind::kTimeout:
      return "timeout";
    case Error::Kind::kMalformed:
      return "malformed";
    case Error::Kind::kTerminal:
      return "terminal";
    case Error::Kind::kFenced:
      return "fenced";
    case Error::Kind::kNotOwned:
      return "not_owned";
    case Error::Kind::kChildDeleting:
      return "child_deleting";
    case Error::Kind::kSuperseded:
      return "superseded";
    case Error::Kind::kInvalid:
      break;
  }
  return "invalid";
}

// Without the server's text, which can quote values of the object.
void set_error(Span& span, const Error& error) {
  span.has_failed = true;
  span.error = error.text;
  span.attributes.push_back({kErrorType, error_type(error)});
}

void set_canceled(Span& span) {
  span.has_failed = true;
  span.error = "canceled";
  span.attributes.push_back({kErrorType, "canceled"});
}

const char* http_method(kube::Verb verb) {
  switch (verb) {
    case kube::Verb::kCreate:
      return "POST";
    case kube::Verb::kUpdate:
      return "PUT";
    case kube::Verb::kPatch:
      return "PATCH";
    case kube::Verb::kDelete:
    case kube::Verb::kDeleteCollection:
      return "DELETE";
    default:
      return "GET";
  }
}

// The values of controller_runtime_reconcile_total's label `result`.
const char* result_word(const Verdict& verdict) {
  switch (verdict.count) {
    case Verdict::Count::kSuccess:
      return "success";
    case Verdict::Count::kRequeueAfter:
      return "requeue_after";
    case Verdict::Count::kError:
      return "error";
    case Verdict::Count::kNone:
      break;
  }
  return "none";
}

}  // namespace

ReconcileSpans::ReconcileSpans(tracing::Tracer& tracer, async::Clock& clock, const Definition& definition,
                               const queue::Item& item, const std::string& reconcile_id)
    : tracer_(tracer), clock_(clock), begun_(clock.now()) {
  root_.context = tracer_.new_trace();
  run_.context = tracer_.new_child(root_.context);
  if (!root_.context.is_sampled) return;
  const auto key = parse_key(item.key);
  root_.name = "reconcile " + definition.resource().kind;
  root_.start = clock.wall_now() - item.waited;
  root_.attributes = {{"k8s.namespace.name", key.ns},
                      {"keelson.object.name", key.name},
                      {"keelson.object.kind", definition.resource().kind},
                      {"keelson.controller", definition.name()},
                      {"keelson.reconcile.id", reconcile_id}};
  root_.events = item.reasons;
  queued_.context = tracer_.new_child(root_.context);
  queued_.name = "queue";
  queued_.start = root_.start;
  queued_.end = run_.start = root_.start + item.waited;
  run_.name = "run";
  queued_.parent = run_.parent = root_.context.span;
}

ReconcileSpans::~ReconcileSpans() {
  if (has_ended_) return;
  set_canceled(run_);
  add_all("canceled");
}

void ReconcileSpans::end(const Verdict& verdict, const Error* error) {
  has_ended_ = true;
  if (error != nullptr) set_error(run_, *error);
  add_all(result_word(verdict));
}

void ReconcileSpans::add_all(const char* result) {
  if (!root_.context.is_sampled) return;
  root_.attributes.push_back({"keelson.reconcile.result", result});
  // The wall clock may have been set meanwhile.
  root_.end = run_.end = run_.start + (clock_.now() - begun_);
  root_.has_failed = run_.has_failed;
  root_.error = run_.error;
  tracer_.add(std::move(queued_));
  tracer_.add(std::move(run_));
  tracer_.add(std::move(root_));
}

struct RequestSpan::Open {
  tracing::Tracer& tracer;
  async::Clock& clock;
  async::TimePoint begun;
  Span span;
};

RequestSpan::RequestSpan(ReconcileSpans* reconcile, kube::ApiRequest& request) {
  if (reconcile == nullptr) return;
  const auto& parent = reconcile->run_;
  Span span;
  span.context = reconcile->tracer_.new_child(parent.context);
  request.headers.emplace_back("traceparent", tracing::traceparent(span.context));
  if (!span.context.is_sampled) return;
  const auto now = reconcile->clock_.now();
  const auto& resource = request.resource;
  const char* method = http_method(request.verb);
  const bool is_raw = !request.raw_path.empty();
  span.parent = parent.context.span;
  span.name = method;
  if (!is_raw) span.name += " " + resource.plural;
  span.kind = Span::Kind::kClient;
  span.start = parent.start + (now - reconcile->begun_);
  span.attributes = {{"http.request.method", method}};
  auto path = is_raw ? request.raw_path.substr(0, request.raw_path.find('?'))
                     : resource.path(request.key.ns, request.key.name, request.subresource);
  span.attributes.push_back({"url.path", std::move(path)});
  if (!is_raw) span.attributes.push_back({"keelson.resource", resource.qualified_plural()});
  if (!request.key.ns.empty()) span.attributes.push_back({"k8s.namespace.name", request.key.ns});
  open_ = std::make_unique<Open>(Open{reconcile->tracer_, reconcile->clock_, now, std::move(span)});
}

RequestSpan::~RequestSpan() {
  if (!open_) return;
  set_canceled(open_->span);
  add();
}

void RequestSpan::end(const Result<kube::ApiReply>& reply) {
  if (!open_) return;
  auto& span = open_->span;
  const int code = reply ? reply->code : reply.error().code;
  if (code != 0) {
    span.attributes.push_back({"http.response.status_code", std::to_string(code), Attribute::Type::kInteger});
  }
  if (!reply) set_error(span, reply.error());
  add();
}

void RequestSpan::add() {
  open_->span.end = open_->span.start + (open_->clock.now() - open_->begun);
  open_->tracer.add(std::move(open_->span));
  open_.reset();
}

}  // namespace keelson::controller
