#include "src/sandbox/admission/admission.hpp"

#include <algorithm>
#include <set>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/json/patch.hpp"
#include "src/sandbox/fields/field_validation.hpp"
#include "src/sandbox/kinds/object_form.hpp"

namespace keelson::sandbox {

namespace {
using boost::asio::awaitable;

constexpr int kRounds = 2;  // as in kube-apiserver: a webhook is called again at most once

// The webhooks to call again because other webhooks changed the object after them.
class Reinvocation {
 public:
  [[nodiscard]] bool is_due() const { return is_due_; }
  [[nodiscard]] bool includes(const Webhook& webhook) const { return again_.contains(webhook.id); }
  void changed() {
    again_.insert(called_.begin(), called_.end());
    called_.clear();
    is_due_ = true;
  }
  void called(const Webhook& webhook) {
    if (webhook.is_reinvoked) called_.insert(webhook.id);
  }

 private:
  std::set<std::string> called_;
  std::set<std::string> again_;
  bool is_due_ = false;
};

// Applies the patch of a webhook to `object`; true if that changed it.
RejectionOr<bool> patch_object(const ServedKind& kind, const Webhook& webhook, const std::string& patch,
                               Attributes& attributes) {
  if (patch.empty()) return false;
  auto operations = json::Document::parse(patch);
  if (!operations || !operations->root().is_array()) {
    return internal_error("failed calling webhook " + base::quote_go(webhook.name) +
                          ": received undecodable patch in webhook response");
  }
  if (operations->root().size() == 0) return false;
  if (attributes.object.is_null()) {
    return internal_error("admission webhook " + base::quote_go(webhook.name) +
                          " attempted to modify the object, which is not supported for this operation");
  }
  auto patched = json::json_patch(attributes.object.text(), patch);
  if (!patched) return internal_error(patched.error().text);
  auto next = Tree::parse(*patched);
  if (!next || !next->is_object()) return internal_error("the patched object is not an object");
  // An object in another version is checked after its conversion.
  const bool is_whole =
      attributes.object_kind == attributes.resource && attributes.resource.version == kind.resource.version;
  if (is_whole) {
    if (auto wrong = drop_unknown_fields(kind, *next)) return internal_error(*wrong);
    pass_through_type(kind, *next, attributes.old_object.is_object() ? &attributes.old_object : nullptr);
  }
  const bool has_changed = !(*next == attributes.object);
  attributes.object = std::move(*next);
  return has_changed;
}

std::optional<Rejection> reject_dry_run(const Webhook& webhook, const Attributes& attributes) {
  if (!attributes.is_dry_run || !webhook.has_side_effects) return std::nullopt;
  return bad_request("admission webhook " + base::quote_go(webhook.name) + " does not support dry run");
}

ConditionsMet meets_conditions(const World& world, const Webhook& webhook, const Attributes& attributes) {
  if (webhook.conditions.empty()) return {};
  const ExpressionInput input(world, attributes, attributes.resource.version);
  return meets_conditions(webhook.conditions, input, webhook.ignores_failures);
}

// The remaining seconds of the request, at most the webhook's own timeout.
std::chrono::seconds time_for(const Webhook& webhook, async::Duration left) {
  auto seconds = std::chrono::ceil<std::chrono::seconds>(left);
  return std::min(webhook.timeout, seconds);
}

Rejection too_late() {
  return rejection(504, "Timeout",
                   "Timeout: request did not complete within requested timeout - context deadline exceeded");
}

}  // namespace

awaitable<RejectionOr<void>> Admission::ask(AdmissionSession& session, async::TimePoint deadline) {
  bool is_mutating = session.question->phase == Webhooks::Phase::kMutating;
  auto asked = is_mutating ? mutate(session, deadline) : validate(session, deadline);
  auto rejected = co_await std::move(asked);
  co_return rejected;
}

awaitable<RejectionOr<void>> Admission::mutate(AdmissionSession& session, async::TimePoint deadline) {
  auto attributes = session.question->attributes;
  const auto& kind = *session.question->kind;
  Reinvocation again;
  for (int round = 0; round < kRounds && (round == 0 || again.is_due()); ++round) {
    // Each webhook may change the object, so matching is decided before each call.
    for (const auto& webhook : webhooks.all(Webhooks::Phase::kMutating)) {
      if (round > 0 && !again.includes(*webhook)) continue;
      if (!webhooks.matches(*webhook, attributes)) continue;
      KEELSON_CO_LET(const bool changed, co_await mutate_by(webhook, session, kind, attributes, deadline));
      if (changed) again.changed();
      again.called(*webhook);
    }
  }
  session.answer_mutating(std::move(attributes.object));
  co_return RejectionOr<void>();
}

awaitable<RejectionOr<bool>> Admission::mutate_by(Hook webhook, AdmissionSession& session, const ServedKind& kind,
                                                  Attributes& attributes, async::TimePoint deadline) {
  const auto own_version = attributes.resource.version;
  auto version = webhooks.version_for(*webhook, attributes);
  KEELSON_CO_LET(auto shown, co_await in_version(kind, attributes, version.value_or(own_version)));
  auto opinion = co_await call(webhook, Webhooks::Phase::kMutating, shown, deadline);
  session.warn(opinion.warnings);
  if (opinion.rejected) co_return std::move(*opinion.rejected);
  KEELSON_CO_LET(const bool is_changed, patch_object(kind, *webhook, opinion.patch, shown));
  if (!is_changed) co_return false;
  KEELSON_CO_LET(auto patched, co_await in_version(kind, std::move(shown), own_version));
  attributes.object = std::move(patched.object);
  co_return true;
}

awaitable<RejectionOr<Attributes>> Admission::in_version(const ServedKind& kind, Attributes attributes,
                                                         std::string version) {
  if (attributes.resource.version == version) co_return attributes;
  auto api_version = attributes.resource.group + "/" + version;
  if (attributes.request_version.empty()) attributes.request_version = attributes.resource.version;
  if (attributes.object_kind == attributes.resource) attributes.object_kind.version = version;
  attributes.resource.version = version;
  for (auto* object : {&attributes.object, &attributes.old_object}) {
    KEELSON_CO_LET(auto converted, co_await conversions.in_version(kind, *object, api_version));
    *object = std::move(converted);
  }
  co_return attributes;
}

awaitable<RejectionOr<void>> Admission::validate(AdmissionSession& session, async::TimePoint deadline) {
  const auto attributes = session.question->attributes;
  const auto& kind = *session.question->kind;
  const auto chain = webhooks.matching(Webhooks::Phase::kValidating, attributes);
  std::vector<Opinion> opinions(chain.size());
  co_await async::with_task_group(
      [&](async::TaskGroup& group) { return call_all(group, chain, kind, attributes, opinions, deadline); });
  for (auto& opinion : opinions) session.warn(opinion.warnings);
  for (auto& opinion : opinions) {
    if (opinion.rejected) co_return std::move(*opinion.rejected);
  }
  session.answer_validating();
  co_return RejectionOr<void>();
}

awaitable<void> Admission::call_all(async::TaskGroup& group, const Webhooks::Chain& chain, const ServedKind& kind,
                                    const Attributes& attributes, std::vector<Opinion>& opinions,
                                    async::TimePoint deadline) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    group.spawn(call_into(opinions[i], chain[i], kind, attributes, deadline));
  }
  co_await group.drain();
}

awaitable<void> Admission::call_into(Opinion& opinion, Hook webhook, const ServedKind& kind, Attributes attributes,
                                     async::TimePoint deadline) {
  auto version = webhooks.version_for(*webhook, attributes);
  auto own_version = attributes.resource.version;
  auto converted = co_await in_version(kind, std::move(attributes), version.value_or(own_version));
  if (!converted) {
    opinion.rejected = std::move(converted.error());
    co_return;
  }
  opinion = co_await call(std::move(webhook), Webhooks::Phase::kValidating, *std::move(converted), deadline);
}

awaitable<Admission::Opinion> Admission::call(Hook webhook, Webhooks::Phase phase, Attributes attributes,
                                              async::TimePoint deadline) {
  Opinion opinion;
  const auto met = meets_conditions(world_, *webhook, attributes);
  if (!met.error.empty()) opinion.rejected = forbidden_write(attributes, met.error);
  if (!met.all) co_return opinion;
  opinion.rejected = reject_dry_run(*webhook, attributes);
  if (opinion.rejected) co_return opinion;
  auto left = deadline - world_.clock.now();
  if (left <= async::Duration::zero()) {
    opinion.rejected = too_late();
    co_return opinion;
  }
  auto failed = [&webhook](const std::string& why) -> std::optional<Rejection> {
    if (webhook->ignores_failures) return std::nullopt;
    return internal_error("failed calling webhook " + base::quote_go(webhook->name) + ": " + why);
  };
  auto uid = world_.random.uuid();
  auto version = review_version(webhook->review_versions);
  if (version.empty()) {
    opinion.rejected = failed(
        "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)");
    co_return opinion;
  }
  const std::function<std::string()> body = [&uid, &version, &attributes] {
    return review_text(uid, version, attributes);
  };
  auto reply = co_await caller.post(webhook->address, body, time_for(*webhook, left));
  if (!reply) {
    opinion.rejected = failed("failed to call webhook: " + reply.error().text);
    co_return opinion;
  }
  auto answer = read_review(*reply, uid, version, phase);
  if (!answer) {
    opinion.rejected = failed("received invalid webhook response: " + answer.error().text);
    co_return opinion;
  }
  opinion.warnings = std::move(answer->warnings);
  opinion.patch = std::move(answer->patch);
  if (!answer->is_allowed) opinion.rejected = denied_by(webhook->name, answer->result);
  co_return opinion;
}

}  // namespace keelson::sandbox
