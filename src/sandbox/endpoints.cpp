#include "src/sandbox/endpoints.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/kube/dry_run.hpp"
#include "src/sandbox/admission/plugins.hpp"
#include "src/sandbox/authentication/token_request.hpp"
#include "src/sandbox/kinds/discovery.hpp"
#include "src/sandbox/kinds/version_view.hpp"
#include "src/sandbox/requests/query_options.hpp"
#include "src/sandbox/verbs/binding.hpp"
#include "src/sandbox/verbs/container_requests.hpp"
#include "src/sandbox/verbs/eviction.hpp"
#include "src/sandbox/verbs/reviews.hpp"

namespace keelson::sandbox {

namespace {

// Attempts of a write whose object changes while its webhooks are called.
constexpr int kSandboxWriteRuns = 32;

// The time limit of a request: requestTimeoutUpperBound of kube-apiserver.
constexpr auto kRequestTime = std::chrono::seconds(34);

// An HTTP request has only the plural of a kind; the served kind has the rest.
RequestInfo info_of(const Kinds& kinds, const UserInfo& user, const kube::ApiRequest& request) {
  RequestInfo info;
  info.user = user.name;
  info.verb = request.verb;
  const auto* kind = kinds.find(request.resource);
  info.resource = kind != nullptr ? kind->resource : request.resource;
  info.key = request.key;
  info.subresource = request.subresource;
  info.is_apply = request.verb == kube::Verb::kPatch && request.patch_type == kube::PatchType::kApply;
  info.is_dry_run = kube::is_dry_run(request);
  return info;
}

Error connection_lost() { return transport_error("read tcp 127.0.0.1:6443: connection reset by peer"); }

// Proxies are listed only: no node and no container runs here.
bool is_served(const ServedKind& kind, Subresource subresource) {
  if (subresource == Subresource::kNone) return true;
  return subresource != Subresource::kProxy &&
         std::ranges::any_of(kind.subresources, [&](const auto& one) { return one.subresource == subresource; });
}

bool is_review(const ServedKind& kind) {
  return kind.resource.group == "authorization.k8s.io" || kind.resource.group == "authentication.k8s.io";
}

}  // namespace

Endpoints::Endpoints(async::Clock& clock, base::Random& random, const ApiServerOptions& options)
    : world(clock, options.controller_clock != nullptr ? *options.controller_clock : clock, random,
            options.bookmark_period),
      authentication(world, options),
      authorizer(world, options.authorization),
      chaos(options.chaos),
      committer(world),
      reads(world),
      writes(world, committer),
      deletes(world, committer.plugins()),
      garbage_collector(world, committer, deletes, options.controller_delay),
      namespace_deletion(world, committer, deletes, options.controller_delay),
      workloads(world, committer, deletes, options),
      new_cluster(world, committer, deletes, options),
      role_aggregation(world, committer, deletes, options.controller_delay),
      definition_status(world, committer, deletes),
      definition_deletion(world, committer, deletes),
      served_status(world, committer, deletes),
      api_services(world, committer, deletes, options.has_cluster_objects),
      admission(world, options.webhooks),
      journal_(options.journal),
      has_cluster_objects_(options.has_cluster_objects) {
  hooks.set_log(options.has_log);
  world.watches.limit_lives([this] { return chaos.next_watch_life(); });
  if (options.has_cluster_objects) event_expiry = std::make_unique<EventExpiry>(world, deletes);
  world.is_whole_cluster = options.has_cluster_objects;
  world.has_admission = options.has_cluster_objects;
  world.has_controllers = options.has_controllers;
  if (options.ignores_rules) world.kinds.ignore_rules();
  if (journal_ != nullptr) return;
  create_cluster_objects();
  listen_to_store();
}

void Endpoints::tell_controllers(const Change& change) {
  authorizer.hear(change);
  admission.webhooks.hear(change);
  committer.plugins().hear(change);
  garbage_collector.hear(change);
  namespace_deletion.hear(change);
  workloads.hear(change);
  new_cluster.hear(change);
  role_aggregation.hear(change);
  definition_status.hear(change);
  definition_deletion.hear(change);
  served_status.hear(change);
  api_services.hear(change);
  if (event_expiry) event_expiry->hear(change);
}

Result<Answer> Endpoints::answer(const UserInfo& user, const kube::ApiRequest& request, Extras extras) {
  if (!request.raw_path.empty()) {
    const auto allowed = authorizer.check(user, access_of(request));
    if (!allowed) return as_error(allowed.error());
    auto found = discover(world.kinds, request.raw_path);
    if (!found) return as_error(found.error());
    return std::move(*found);
  }
  auto begun = begin(user, request);
  if (begun.failure) return *begun.failure;
  auto outcome = attempt(begun, request, extras, nullptr);
  return finish(std::move(begun), std::move(outcome));
}

Chaos::Disturbance Endpoints::disturb(const UserInfo& user, const kube::ApiRequest& request) {
  auto disturbance = chaos.disturb(request);
  if (disturbance.failure && request.raw_path.empty() && !request.resource.plural.empty()) {
    auto info = info_of(world.kinds, user, request);
    info.code = disturbance.failure->code;
    hooks.record(info);
  }
  return disturbance;
}

void Endpoints::set_chaos(const ChaosOptions& options) {
  chaos.set(options);
  world.watches.limit_lives([this] { return chaos.next_watch_life(); });
}

bool Endpoints::may_wait(const kube::ApiRequest& request) {
  if (!request.raw_path.empty()) return false;
  const auto* kind = world.kinds.find(request.resource);
  const bool is_converted = kind != nullptr && kind->conversion && kind->conversion->has_webhook;
  if (is_converted || request.verb < kube::Verb::kCreate) return is_converted;
  return !admission.webhooks.empty() || committer.plugins().may_warn(request);
}

Task<Answer> Endpoints::answer_later(UserInfo user, kube::ApiRequest request, Extras extras) {
  auto begun = begin(user, request);
  if (begun.failure) co_return *begun.failure;
  AdmissionSession session(world, admission.webhooks);
  auto outcome = co_await attempt_later(begun, request, extras, session);
  if (outcome) {
    outcome->warnings.insert(outcome->warnings.end(), session.warnings.begin(), session.warnings.end());
  } else if (extras.warnings_of_rejection != nullptr) {
    auto& warnings = *extras.warnings_of_rejection;
    warnings.insert(warnings.end(), session.warnings.begin(), session.warnings.end());
  }
  co_return finish(std::move(begun), std::move(outcome));
}

// Each run uses the responses of the webhooks so far. It starts from the request, because kinds and objects may have
// changed meanwhile.
boost::asio::awaitable<RejectionOr<Answer>> Endpoints::attempt_later(const Begun& begun,
                                                                     const kube::ApiRequest& request, Extras extras,
                                                                     AdmissionSession& session) {
  const auto deadline = world.clock.now() + kRequestTime;
  for (int run = 0; run < kSandboxWriteRuns || session.collection; ++run) {
    auto outcome = attempt(begun, request, extras, &session);
    const auto* kind = world.kinds.find(request.resource);
    bool is_done = !session.question && !session.to_convert;
    if (is_done && (!outcome || kind == nullptr)) co_return outcome;
    if (is_done) {
      auto converted = co_await admission.conversions.answer_in_version(*kind, *std::move(outcome));
      co_return converted;
    }
    auto asked = session.question ? admission.ask(session, deadline) : admission.conversions.ask(session);
    KEELSON_CO_TRY(co_await std::move(asked));
  }
  const auto* kind = world.kinds.find(request.resource);
  co_return outdated(kind != nullptr ? kind->resource : request.resource, request.key.name);
}

Endpoints::Begun Endpoints::begin(const UserInfo& user, const kube::ApiRequest& request) {
  world.store.trim_trees();
  Begun begun;
  begun.user = user;
  begun.info = info_of(world.kinds, user, request);
  begun.failure = hooks.take_failure(begun.info);
  if (begun.failure) {
    begun.info.code = begun.failure->code;
    hooks.record(begun.info);
    return begun;
  }
  begun.fate = hooks.fate_of(begun.info);
  if (begun.fate == WriteFate::kLost) begun.failure = connection_lost();
  return begun;
}

RejectionOr<Call> Endpoints::allowed_call(const Begun& begun, const kube::ApiRequest& request, Extras extras) {
  if (!extras.is_authorized) {
    KEELSON_TRY(authorizer.check(begun.user, access_of(request)));
  }
  KEELSON_LET(auto call, call_of(begun.user, request));
  if (hooks.is_forbidden(begun.info)) return forbidden(begun.info.user, access_of(request), "");
  call.is_strategic = extras.is_strategic_patch;
  call.hears_warnings = extras.hears_warnings;
  call.repeated_keys = std::move(extras.repeated_keys);
  call.authorizer = &authorizer;
  return call;
}

RejectionOr<Answer> Endpoints::attempt(const Begun& begun, const kube::ApiRequest& request, Extras extras,
                                       AdmissionSession* session) {
  KEELSON_LET(auto call, allowed_call(begun, request, extras));
  call.admission = session;
  hooks.current_request = &begun.info;
  auto outcome = dispatch(call);
  hooks.current_request = nullptr;
  if (!outcome && extras.warnings_of_rejection != nullptr) {
    auto& warnings = *extras.warnings_of_rejection;
    warnings = std::move(outcome.error().warnings);
    if (auto warning = deprecation_of(begun.info.resource); !warning.empty()) warnings.push_back(std::move(warning));
  }
  const auto& conversion = call.kind->conversion;
  if (outcome && conversion && !conversion->has_webhook) outcome->body = relabeled(*call.kind, outcome->body);
  return outcome;
}

Result<Answer> Endpoints::finish(Begun begun, RejectionOr<Answer> outcome) {
  begun.info.code = outcome ? outcome->code : outcome.error().code;
  hooks.record(begun.info);
  if (begun.fate == WriteFate::kReplyLost) return connection_lost();
  if (!outcome) return as_error(outcome.error());
  if (auto warning = deprecation_of(begun.info.resource); !warning.empty()) outcome->warnings.push_back(warning);
  return std::move(*outcome);
}

std::string Endpoints::deprecation_of(const kube::Resource& resource) const {
  if (resource.group.empty() && resource.plural == "endpoints") {
    return "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
  }
  if (resource.group.empty() && resource.plural == "componentstatuses") {
    return "v1 ComponentStatus is deprecated in v1.19+";
  }
  const auto* kind = world.kinds.find(resource);
  return kind != nullptr ? kind->deprecation : std::string();
}

bool Endpoints::is_plain_list(const kube::ApiRequest& request) const {
  if (request.verb != kube::Verb::kList || !request.raw_path.empty()) return false;
  const auto* kind = world.kinds.find(request.resource);
  return kind == nullptr || ((!kind->conversion || !kind->conversion->has_webhook) && !version_view(request.resource));
}

Task<Answer> Endpoints::list(UserInfo user, kube::ApiRequest request, Extras extras) {
  auto begun = begin(user, request);
  if (begun.failure) co_return *begun.failure;
  auto call = allowed_call(begun, request, extras);
  if (!call) co_return finish(std::move(begun), std::move(call.error()));
  auto listing = co_await reads.list_in_slices(*std::move(call));
  if (!listing) co_return finish(std::move(begun), std::move(listing.error()));
  auto list = std::make_shared<const Listing>(*std::move(listing));
  co_return finish(std::move(begun), Answer{200, "", {}, std::move(list)});
}

Task<std::shared_ptr<Watcher>> Endpoints::watch_later(UserInfo user, kube::ApiRequest request, Extras extras) {
  std::optional<Snapshot> initial;
  auto call = call_of(user, request);
  if (call && begins_with_objects(*call)) {
    auto selection = Selection::of(*call);
    if (selection) {
      initial = co_await take_snapshot_in_slices(world.clock, world.store, *call->kind, *std::move(selection));
    }
  }
  co_return watch(user, request, extras, std::move(initial));
}

Result<std::shared_ptr<Watcher>> Endpoints::watch(const UserInfo& user, const kube::ApiRequest& request, Extras extras,
                                                  std::optional<Snapshot> initial) {
  auto info = info_of(world.kinds, user, request);
  auto reject = [&](Error error) {
    info.code = error.code;
    hooks.record(info);
    return error;
  };
  if (auto failure = hooks.take_failure(info)) return reject(*failure);
  if (!extras.is_authorized) {
    const auto allowed = authorizer.check(user, access_of(request));
    if (!allowed) return reject(as_error(allowed.error()));
  }
  auto call = call_of(user, request);
  if (!call) return reject(as_error(call.error()));
  if (hooks.is_forbidden(info)) return reject(as_error(forbidden(user.name, access_of(request), "")));
  auto watcher = world.watches.open(*call, world.store, std::move(initial));
  if (!watcher) return reject(as_error(watcher.error()));
  info.code = 200;
  hooks.record(info);
  return *std::move(watcher);
}

RejectionOr<Call> Endpoints::call_of(const UserInfo& user, const kube::ApiRequest& request) const {
  Call call;
  call.kind = world.kinds.find(request.resource);
  const auto& resource = request.resource;
  if (call.kind == nullptr && !world.kinds.serves(resource.group, resource.version)) return page_not_found(request);
  const auto subresource = subresource_named(request.subresource);
  if (call.kind == nullptr || !subresource || !is_served(*call.kind, *subresource)) return not_served();
  call.subresource = *subresource;
  const bool is_object = call.subresource == Subresource::kNone;
  if (is_object && !call.kind->allows(kube::verb_name(request.verb))) return method_not_allowed();
  if (const auto* view = version_view(resource)) {
    call.view = call.kind;
    call.kind = world.kinds.find(view->stored);
  }
  const bool is_post = request.verb == kube::Verb::kCreate;
  if (is_action(call.subresource) && !is_post) return method_not_allowed();
  if (is_post && !is_object && !is_action(call.subresource) && !is_of_container(call.subresource)) return not_served();
  call.user = user;
  call.verb = request.verb;
  call.key = call.kind->resource.namespaced ? request.key : kube::Key("", request.key.name);
  for (const auto& [name, value] : request.query) call.query.emplace(name, value);
  call.patch_type = request.patch_type;
  call.body = request.body;
  return call;
}

RejectionOr<Answer> Endpoints::dispatch(const Call& call) {
  const bool is_write = call.verb >= kube::Verb::kCreate && call.verb <= kube::Verb::kPatch;
  if (is_write) KEELSON_TRY(check_write_options(call));
  if (is_of_container(call.subresource)) return reject_container_request(world, call);
  if (is_review(*call.kind)) return review(world, call, authentication);
  if (call.subresource == Subresource::kEviction) return evict(world, committer, deletes, call);
  if (call.subresource == Subresource::kToken) return request_token(world, authentication.tokens, call);
  if (call.subresource == Subresource::kBinding) return bind(world, committer, call);
  if (call.view == nullptr) return store(call);
  return answer_through_view(world, call, [this](const Call& stored) { return store(stored); });
}

RejectionOr<Answer> Endpoints::store(const Call& call) {
  const bool is_namespaced = call.resource().namespaced;
  switch (call.verb) {
    case kube::Verb::kGet:
      return reads.get(call);
    case kube::Verb::kList:
      return reads.list(call);
    case kube::Verb::kCreate:
      return is_namespaced && call.key.ns.empty() ? RejectionOr<Answer>(method_not_allowed()) : writes.create(call);
    case kube::Verb::kUpdate:
      return writes.update(call);
    case kube::Verb::kPatch:
      return writes.patch(call);
    case kube::Verb::kDelete:
      return deletes.remove(call);
    case kube::Verb::kDeleteCollection:
      return is_namespaced && call.key.ns.empty() ? RejectionOr<Answer>(method_not_allowed())
                                                  : deletes.remove_collection(call);
    case kube::Verb::kWatch:
      break;
  }
  return method_not_allowed();
}

Error as_error(const Rejection& rejected) {
  Error error(Error::Kind::kStatus, "");
  error.code = rejected.code;
  error.reason = rejected.reason();
  error.server_text = rejected.message();
  error.status_body = rejected.text();
  auto seconds = rejected.status.integer_at({"details", "retryAfterSeconds"});
  if (seconds > 0) error.retry_after = std::chrono::seconds(seconds);
  return error;
}

}  // namespace keelson::sandbox
