#include "src/sandbox/admission/review.hpp"

#include <algorithm>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/authorization/access.hpp"
#include "src/sandbox/verbs/reviews.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kReviewGroup = "admission.k8s.io/";

Tree kind_of(const kube::Resource& resource) {
  return Tree::object({{"group", resource.group}, {"version", resource.version}, {"kind", resource.kind}});
}

Tree resource_of(const kube::Resource& resource) {
  return Tree::object({{"group", resource.group}, {"version", resource.version}, {"resource", resource.plural}});
}

Result<std::string> patch_of(const Tree& response, Webhooks::Phase phase, const std::string& version) {
  auto patch = response.text_at({"patch"});
  const Tree* type = response.find("patchType");
  const bool has_type = type != nullptr && !type->is_null();
  if (phase == Webhooks::Phase::kValidating) {
    if (version != "v1") return std::string();
    if (!patch.empty()) return invalid_error("validating webhook may not return response.patch");
    if (has_type) return invalid_error("validating webhook may not return response.patchType");
    return std::string();
  }
  if (version == "v1") {
    if (!patch.empty() && !has_type) return invalid_error("webhook returned response.patch but not response.patchType");
    if (patch.empty() && has_type) return invalid_error("webhook returned response.patchType but not response.patch");
    if (has_type && type->scalar().empty()) {
      return invalid_error("webhook returned invalid response.patchType of \"\"");
    }
    if (has_type && type->scalar() != "JSONPatch") {
      return invalid_error("unsupported patch type " + base::quote_go(type->scalar()));
    }
  }
  return base::base64_decode(patch);
}

}  // namespace

std::string review_version(const std::vector<std::string>& accepted) {
  for (const auto& version : accepted) {
    if (version == "v1" || version == "v1beta1") return version;
  }
  return "";
}

Tree review_request(const Attributes& attributes) {
  auto request =
      Tree::object({{"kind", kind_of(attributes.object_kind)}, {"resource", resource_of(attributes.resource)}});
  const bool has_subresource = !attributes.subresource.empty();
  if (has_subresource) request["subResource"] = attributes.subresource;
  auto kind = attributes.object_kind;
  auto resource = attributes.resource;
  if (!attributes.request_version.empty()) {
    if (kind == resource) kind.version = attributes.request_version;
    resource.version = attributes.request_version;
  }
  request["requestKind"] = kind_of(kind);
  request["requestResource"] = resource_of(resource);
  if (has_subresource) request["requestSubResource"] = attributes.subresource;
  if (!attributes.name.empty()) request["name"] = attributes.name;
  if (!attributes.ns.empty()) request["namespace"] = attributes.ns;
  request["operation"] = attributes.operation;
  request["userInfo"] = user_info(attributes.user);
  request["dryRun"] = attributes.is_dry_run;
  request["options"] = attributes.options;
  return request;
}

std::string review_text(const std::string& uid, const std::string& version, const Attributes& attributes) {
  auto request = Tree::object({{"uid", uid}});
  const auto content = review_request(attributes);
  for (const auto& [name, value] : content.members()) {
    if (name == "dryRun") {
      request["object"] = attributes.object;
      request["oldObject"] = attributes.old_object;
    }
    request[name] = value;
  }
  return Tree::object({{"kind", "AdmissionReview"}, {"apiVersion", kReviewGroup + version}, {"request", request}})
      .text();
}

Result<ReviewAnswer> read_review(const Tree& review, const std::string& uid, const std::string& version,
                                 Webhooks::Phase phase) {
  const Tree* response = review.find("response");
  if (response == nullptr || !response->is_object()) return invalid_error("webhook response was absent");
  auto given = response->text_at({"uid"});
  if (version == "v1" && given != uid) {
    return invalid_error("expected response.uid=" + base::quote_go(uid) + ", got " + base::quote_go(given));
  }
  auto api_version = review.text_at({"apiVersion"});
  auto kind = review.text_at({"kind"});
  if (version == "v1" && (api_version != "admission.k8s.io/v1" || kind != "AdmissionReview")) {
    return invalid_error("expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got " + api_version +
                         ", Kind=" + kind);
  }
  ReviewAnswer answer;
  answer.is_allowed = response->is_true_at({"allowed"});
  const Tree* result = response->find("status");
  if (result != nullptr && result->is_object()) answer.result = *result;
  answer.warnings = response->texts_at({"warnings"});
  auto patch = patch_of(*response, phase, version);
  if (!patch) return std::move(patch.error());
  answer.patch = std::move(*patch);
  return answer;
}

Rejection denied_by(const std::string& webhook, const Tree& result) {
  auto code = std::max<std::int64_t>(result.integer_at({"code"}), 400);
  auto message = result.text_at({"message"});
  auto reason = result.text_at({"reason"});
  auto denied = "admission webhook " + base::quote_go(webhook) + " denied the request";
  auto why = !message.empty() ? ": " + message : !reason.empty() ? ": " + reason : " without explanation";
  auto rejected = rejection(static_cast<int>(std::min<std::int64_t>(code, 599)), reason, denied + why);
  if (const Tree* details = result.find("details")) rejected.status["details"] = *details;
  return rejected;
}

Rejection forbidden_write(const Attributes& attributes, const std::string& why) {
  auto name = attributes.name;
  const auto prefix = attributes.object.text_at({"metadata", "generateName"});
  if (name.empty()) name = prefix.empty() ? "Unknown" : "Unknown/" + prefix;
  return forbidden_object(attributes.resource, name, why);
}

Rejection internal_error(const std::string& why) {
  auto rejected = rejection(500, "InternalError", "Internal error occurred: " + why);
  rejected.status["details"] = Tree::object({{"causes", Tree::array({Tree::object({{"message", why}})})}});
  return rejected;
}

}  // namespace keelson::sandbox
