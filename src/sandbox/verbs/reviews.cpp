#include "src/sandbox/verbs/reviews.hpp"

#include "keelson/base/try.hpp"
#include "src/sandbox/authentication/authentication.hpp"
#include "src/sandbox/authorization/authorizer.hpp"
#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/fields/field_validation.hpp"
#include "src/sandbox/fields/managed_fields.hpp"
#include "src/sandbox/kinds/object_form.hpp"
#include "src/sandbox/storage/committer.hpp"

namespace keelson::sandbox {

namespace {

RejectionOr<Answer> who_am_i(Tree review, const UserInfo& user, const std::string& now) {
  // The real server answers with a new object.
  review["metadata"] = Tree::object({{"creationTimestamp", now}});
  review["status"] = Tree::object({{"userInfo", user_info(user)}});
  return Answer{201, review.text()};
}

RejectionOr<Answer> token_review(Tree review, Authentication& authentication) {
  auto token = review.text_at({"spec", "token"});
  if (token.empty()) return bad_request("token is required for TokenReview in authentication");
  auto owner = authentication.owner_of(token, review.texts_at({"spec", "audiences"}));
  review["status"] =
      owner
          ? Tree::object(
                {{"authenticated", true}, {"user", user_info(owner->user)}, {"audiences", text_list(owner->audiences)}})
          : Tree::object({{"user", Tree::object()}, {"error", owner.error().text}});
  return Answer{201, review.text()};
}

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
  std::vector<FieldError> list;
  FieldErrors errors(list);
  auto is_there = [&spec](const char* name) {
    const Tree* member = spec.find(name);
    return member != nullptr && !member->is_null();
  };
  const bool has_resource = is_there("resourceAttributes");
  const bool has_path = is_there("nonResourceAttributes");
  bool is_own = call.resource().kind == "SelfSubjectAccessReview";
  const bool is_local = call.resource().kind == "LocalSubjectAccessReview";
  if (has_resource && has_path) {
    errors.add({FieldReason::kInvalid, "spec.nonResourceAttributes", spec.find("nonResourceAttributes")->text(),
                "cannot be specified in combination with resourceAttributes"});
  }
  if (!has_resource && !has_path) {
    errors.invalid("spec.resourceAttributes", Tree(),
                   "exactly one of nonResourceAttributes or resourceAttributes must be specified");
  }
  const Tree* groups = spec.find("groups");
  if (!is_own && spec.text_at({"user"}).empty() && (groups == nullptr || groups->is_empty())) {
    errors.invalid("spec.user", "", "at least one of user or group must be specified");
  }
  auto ns = spec.text_at({"resourceAttributes", "namespace"});
  if (is_local && has_resource && ns != call.key.ns) {
    errors.invalid("spec.resourceAttributes.namespace", ns, "must match metadata.namespace");
  }
  if (is_local && has_path) {
    errors.add({FieldReason::kInvalid, "spec.nonResourceAttributes", spec.find("nonResourceAttributes")->text(),
                "disallowed on this kind of request"});
  }
  return list;
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
  // The real server answers with a new object.
  review["metadata"] = Tree::object();
  review["spec"] = Tree::object();
  review["status"] = Tree::object({{"resourceRules", resources}, {"nonResourceRules", paths}, {"incomplete", false}});
  if (!found.error.empty()) review["status"]["evaluationError"] = found.error;
  return Answer{201, review.text()};
}

RejectionOr<Answer> review_access(const Call& call, Tree review) {
  if (call.resource().kind == "SelfSubjectRulesReview") return review_rules(call, std::move(review));
  const auto spec = review.copy_at({"spec"});
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

RejectionOr<Answer> answer_to(const World& world, const Call& call, Tree review, Authentication& authentication) {
  const auto& kind = call.resource().kind;
  if (kind == "SelfSubjectReview") return who_am_i(std::move(review), call.user, world.time_text());
  if (kind == "TokenReview") return token_review(std::move(review), authentication);
  return review_access(call, std::move(review));
}

}  // namespace

Tree user_info(const UserInfo& user) {
  auto info = Tree::object({{"username", user.name}});
  if (!user.uid.empty()) info["uid"] = user.uid;
  if (!user.groups.empty()) info["groups"] = text_list(user.groups);
  for (const auto& [key, values] : user.extra) info["extra"][key] = text_list(values);
  return info;
}

RejectionOr<Answer> review(const World& world, const Call& call, Authentication& authentication) {
  KEELSON_LET(auto review, object_in(call));
  FieldReading fields(call);
  KEELSON_TRY(fields.read(review));
  const auto& kind = *call.kind;
  review.erase("status");
  for (const char* name : {"kind", "apiVersion"}) review.erase(name);
  review.members().emplace_front("apiVersion", call.resource().api_version());
  review.members().emplace_front("kind", call.resource().kind);
  pass_through_type(kind, review);
  const auto managers = after_update(zero_object(kind), review, {}, manager_of(world, call, false), kind.merge_type());
  if (!managers.empty()) review["metadata"]["managedFields"] = managed_fields(managers);
  return fields.with_warnings(answer_to(world, call, std::move(review), authentication));
}

}  // namespace keelson::sandbox
