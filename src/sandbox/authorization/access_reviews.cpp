#include "src/sandbox/authorization/access_reviews.hpp"

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/authorization/authorizer.hpp"

namespace keelson::sandbox {

namespace {

UserInfo reviewed_user(const Tree& spec) {
  UserInfo user;
  user.name = spec.text_at({"user"});
  user.uid = spec.text_at({"uid"});
  user.groups = spec.texts_at({"groups"});
  for (const auto& [key, values] : spec.members_at({"extra"})) {
    if (!values.items().empty()) user.extra[key] = values.texts_at({});
  }
  return user;
}

Access reviewed_access(const Tree& spec) {
  Access access;
  if (const Tree* path = spec.find("nonResourceAttributes"); path != nullptr && path->is_object()) {
    access.verb = path->text_at({"verb"});
    access.path = path->text_at({"path"});
    return access;
  }
  auto text = [&spec](const char* name) { return spec.text_at({"resourceAttributes", name}); };
  access.verb = text("verb");
  access.group = text("group");
  access.resource = text("resource");
  access.subresource = text("subresource");
  access.ns = text("namespace");
  access.name = text("name");
  return access;
}

std::vector<FieldError> errors_of(const Call& call, const Tree& spec) {
  std::vector<FieldError> errors;
  auto is_there = [&spec](const char* name) {
    const Tree* member = spec.find(name);
    return member != nullptr && !member->is_null();
  };
  const bool has_resource = is_there("resourceAttributes");
  const bool has_path = is_there("nonResourceAttributes");
  bool is_own = call.resource().kind == "SelfSubjectAccessReview";
  const bool is_local = call.resource().kind == "LocalSubjectAccessReview";
  if (has_resource && has_path) {
    errors.push_back({FieldReason::kInvalid, "spec.nonResourceAttributes", spec.find("nonResourceAttributes")->text(),
                      "cannot be specified in combination with resourceAttributes"});
  }
  if (!has_resource && !has_path) {
    errors.push_back({FieldReason::kInvalid, "spec.resourceAttributes", "null",
                      "exactly one of nonResourceAttributes or resourceAttributes must be specified"});
  }
  const Tree* groups = spec.find("groups");
  if (!is_own && spec.text_at({"user"}).empty() && (groups == nullptr || groups->is_empty())) {
    errors.push_back({FieldReason::kInvalid, "spec.user", "\"\"", "at least one of user or group must be specified"});
  }
  auto ns = spec.text_at({"resourceAttributes", "namespace"});
  if (is_local && has_resource && ns != call.key.ns) {
    errors.push_back({FieldReason::kInvalid, "spec.resourceAttributes.namespace", base::quote_go(ns),
                      "must match metadata.namespace"});
  }
  if (is_local && has_path) {
    errors.push_back({FieldReason::kInvalid, "spec.nonResourceAttributes", spec.find("nonResourceAttributes")->text(),
                      "disallowed on this kind of request"});
  }
  return errors;
}

RejectionOr<Answer> review_rules(const Call& call, Tree review) {
  auto ns = review.text_at({"spec", "namespace"});
  if (ns.empty()) return bad_request("no namespace on request");
  auto found = call.authorizer->rules_for(call.user, ns);
  auto resources = Tree::array();
  auto paths = Tree::array();
  for (const auto& rule : found.rules) {
    if (!rule.resources.empty()) {
      resources.items().push_back(rule_tree({rule.verbs, rule.groups, rule.resources, rule.names, {}}));
    }
    if (!rule.paths.empty()) paths.items().push_back(rule_tree({rule.verbs, {}, {}, {}, rule.paths}));
  }
  review["spec"] = Tree::object();  // as kube-apiserver responds
  review["status"] = Tree::object({{"resourceRules", resources}, {"nonResourceRules", paths}, {"incomplete", false}});
  if (!found.error.empty()) review["status"]["evaluationError"] = found.error;
  return Answer{201, review.text()};
}

}  // namespace

RejectionOr<Answer> review_access(const Call& call, Tree review) {
  if (call.resource().kind == "SelfSubjectRulesReview") return review_rules(call, std::move(review));
  const auto& spec = *review.find("spec");
  auto errors = errors_of(call, spec);
  if (!errors.empty()) {
    const kube::Resource unnamed("authorization.k8s.io", "v1", "", "", false);
    return invalid_object(unnamed, "", errors);
  }
  bool is_own = call.resource().kind == "SelfSubjectAccessReview";
  auto decision = call.authorizer->decide(is_own ? call.user : reviewed_user(spec), reviewed_access(spec));
  review["status"] = Tree::object({{"allowed", decision.is_allowed}});
  if (!decision.reason.empty()) review["status"]["reason"] = decision.reason;
  return Answer{201, review.text()};
}

}  // namespace keelson::sandbox
