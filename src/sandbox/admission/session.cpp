#include "src/sandbox/admission/session.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/webhook/limits.hpp"

namespace keelson::sandbox {

namespace {

Rejection waiting() { return rejection(503, "ServiceUnavailable", "the write waits for a webhook"); }

}  // namespace

AdmissionSession::AdmissionSession(World& world, Webhooks& webhooks)
    : uid(world.random.uuid()), name_suffix(world.random_suffix()), now(world.time_text()), webhooks_(webhooks) {}

RejectionOr<void> AdmissionSession::mutate(const ServedKind& kind, Attributes& attributes, const std::string& basis) {
  if (mutated_ && mutated_->basis == basis) {
    attributes.object = mutated_->object;
    return {};
  }
  if (webhooks_.matching(Webhooks::Phase::kMutating, attributes).empty()) return {};
  question = Question{Webhooks::Phase::kMutating, attributes, &kind, basis};
  return waiting();
}

RejectionOr<void> AdmissionSession::validate(const ServedKind& kind, const Attributes& attributes,
                                             const std::string& basis) {
  if (validated_ == basis || webhooks_.matching(Webhooks::Phase::kValidating, attributes).empty()) return {};
  question = Question{Webhooks::Phase::kValidating, attributes, &kind, basis};
  return waiting();
}

RejectionOr<void> AdmissionSession::admit(const ServedKind& kind, Attributes attributes, const std::string& basis) {
  KEELSON_TRY(mutate(kind, attributes, basis));
  return validate(kind, attributes, basis);
}

RejectionOr<Tree> AdmissionSession::converted(const ServedKind& kind, const std::string& key,
                                              const std::string& api_version, const std::function<Tree()>& object) {
  auto found = converted_.find({key, api_version});
  if (found != converted_.end()) return found->second;
  if (!to_convert) to_convert = ToConvert{&kind, api_version, {}};
  to_convert->objects.emplace_back(key, object());
  return waiting();
}

void AdmissionSession::remember_conversion(const std::string& key, const std::string& api_version, Tree object) {
  converted_.insert_or_assign({key, api_version}, std::move(object));
}

void AdmissionSession::answer_mutating(Tree object) {
  mutated_ = Mutated{question->basis, std::move(object)};
  question.reset();
}

void AdmissionSession::answer_validating() {
  validated_ = question->basis;
  question.reset();
}

void AdmissionSession::warn(const std::vector<std::string>& more) {
  for (const auto& warning : more) {
    if (warnings.size() >= limits::kAdmissionWarnings) return;
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  }
}

std::string basis_of(const Call& call, const Store::Entry* live) {
  if (live == nullptr) return call.key.text();
  return call.key.text() + "@" + std::to_string(live->object.resource_version());
}

}  // namespace keelson::sandbox
