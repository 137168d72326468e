#include "src/sandbox/admission/plugins.hpp"

#include "keelson/base/try.hpp"
#include "src/sandbox/admission/limit_range.hpp"
#include "src/sandbox/admission/pod_security.hpp"
#include "src/sandbox/admission/quota.hpp"
#include "src/sandbox/admission/review.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/admission/signer_rules.hpp"
#include "src/sandbox/verbs/writable_fields.hpp"

namespace keelson::sandbox {

namespace {

bool is_namespaces(const kube::Resource& resource) { return resource.group.empty() && resource.plural == "namespaces"; }

bool is_claim(const kube::Resource& resource) {
  return resource.group.empty() && resource.plural == "persistentvolumeclaims";
}

}  // namespace

bool Plugins::may_warn(const kube::ApiRequest& request) {
  if (policies.has_validating()) return true;
  const bool changes = request.verb == kube::Verb::kUpdate || request.verb == kube::Verb::kPatch;
  const bool is_written = request.subresource.empty() && (changes || request.verb == kube::Verb::kCreate);
  if (is_written && has_pod_spec(request.resource)) return warns_about_pods(world_, request.key.ns);
  return is_written && changes && is_namespaces(request.resource);
}

RejectionOr<void> Plugins::validate(const Call& call, const AttributesOf& attributes) {
  const auto& resource = call.resource();
  const bool is_whole = call.subresource == Subresource::kNone || call.subresource == Subresource::kEphemeralContainers;
  const bool is_object = is_whole && call.verb != kube::Verb::kDelete && call.verb != kube::Verb::kDeleteCollection;
  const bool is_checked = is_object && (has_pod_spec(resource) || is_claim(resource) || is_namespaces(resource));
  const bool is_request = resource == certificate_requests();
  if (!is_checked && !is_request && !policies.has_validating()) return {};
  const auto asked = attributes();
  if (is_request) {
    if (const auto error = signer_error(call, asked); !error.empty()) return forbidden_write(asked, error);
  }
  std::vector<std::string> warnings;
  auto outcome = is_checked ? check_security(call, asked, warnings) : RejectionOr<void>();
  if (outcome) outcome = policies.validate(asked, warnings);
  if (call.admission != nullptr) call.admission->warn(warnings);
  return outcome;
}

RejectionOr<void> Plugins::charge(const Call& call, const AttributesOf& attributes) {
  if (!has_quota(world_, call.key.ns)) return {};
  const auto asked = attributes();
  const auto error = quota_error(world_, *call.kind, asked);
  return error.empty() ? RejectionOr<void>() : forbidden_write(asked, error);
}

RejectionOr<void> Plugins::check_security(const Call& call, const Attributes& attributes,
                                          std::vector<std::string>& warnings) const {
  const auto& resource = call.resource();
  const bool is_new = attributes.old_object.is_null();
  if (is_namespaces(resource)) {
    if (!is_new) warnings = warnings_for_level(world_, attributes.old_object, attributes.object);
    return {};
  }
  // The other containers of a pod cannot change.
  const bool adds_containers = call.subresource == Subresource::kEphemeralContainers;
  if (resource == kube::pods() && !is_new && !adds_containers) return {};
  const auto limit = is_new || is_claim(resource) ? limit_error(world_, resource, attributes.object) : std::string();
  if (!limit.empty()) return forbidden_write(attributes, limit);
  if (is_claim(resource)) return {};
  auto result = check_pod_security(world_, resource, attributes.object);
  warnings = std::move(result.warnings);
  if (!result.denied.empty()) return forbidden_write(attributes, result.denied);
  return {};
}

bool is_for_plugins(const Call& call) {
  switch (call.subresource) {
    case Subresource::kNone:
    case Subresource::kStatus:
    case Subresource::kScale:
    case Subresource::kResize:
    case Subresource::kEphemeralContainers:
    case Subresource::kFinalize:
    case Subresource::kApproval:
      return true;
    default:
      return false;
  }
}

}  // namespace keelson::sandbox
