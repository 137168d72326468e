#include "src/sandbox/reviews.hpp"

namespace keelson::sandbox {

namespace {

Tree strings(std::initializer_list<const char*> texts) {
  auto list = Tree::array();
  for (const char* text : texts) list.items().emplace_back(text);
  return list;
}

Outcome access_review(Tree review) {
  if (review.at({"spec", "resourceAttributes"}) == nullptr && review.at({"spec", "nonResourceAttributes"}) == nullptr) {
    const kube::Resource unnamed("authorization.k8s.io", "v1", "", "", false);
    return invalid_object(unnamed, "",
                          {{"FieldValueInvalid", "spec.resourceAttributes",
                            "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be "
                            "specified"}});
  }
  review["status"] = Tree::object({{"allowed", true}});
  return Answer{201, review.text()};
}

Outcome rules_review(Tree review) {
  auto resources =
      Tree::object({{"verbs", strings({"*"})}, {"apiGroups", strings({"*"})}, {"resources", strings({"*"})}});
  auto paths = Tree::object({{"verbs", strings({"*"})}, {"nonResourceURLs", strings({"*"})}});
  review["spec"] = Tree::object();  // as the real server answers
  review["status"] = Tree::object(
      {{"resourceRules", Tree::array({resources})}, {"nonResourceRules", Tree::array({paths})}, {"incomplete", false}});
  return Answer{201, review.text()};
}

Outcome who_am_i(Tree review, const std::string& user, const std::string& now) {
  review["metadata"]["creationTimestamp"] = now;
  review["status"] = Tree::object({{"userInfo", user_info(user)}});
  return Answer{201, review.text()};
}

Outcome token_review(Tree review, const UserOfToken& user_of_token) {
  auto token = review.text_at({"spec", "token"});
  auto user = user_of_token ? user_of_token(token) : token;
  bool is_known = !token.empty() && user;
  review["status"] = is_known ? Tree::object({{"authenticated", true}, {"user", user_info(*user)}})
                              : Tree::object({{"user", Tree::object()}});
  return Answer{201, review.text()};
}

}  // namespace

Tree user_info(const std::string& user) {
  bool is_anonymous = user == "system:anonymous";
  auto groups = strings({is_anonymous ? "system:unauthenticated" : "system:authenticated"});
  if (user == "kubernetes-admin") groups = strings({"system:masters", "system:authenticated"});
  return Tree::object({{"username", user}, {"groups", groups}});
}

Outcome review(const Call& call, const UserOfToken& user_of_token, const std::string& now) {
  auto body = Tree::parse(call.body);
  if (!body || !body->is_object()) return bad_request("the object provided is unrecognized");
  const auto& kind = call.resource().kind;
  auto review = Tree::object({{"kind", kind}, {"apiVersion", call.resource().api_version()}});
  for (const char* name : {"metadata", "spec"}) {
    const Tree* member = body->find(name);
    review[name] = member != nullptr ? *member : Tree::object();
  }
  if (kind == "SelfSubjectReview") {
    review.erase("spec");
    return who_am_i(std::move(review), call.user, now);
  }
  if (kind == "TokenReview") return token_review(std::move(review), user_of_token);
  if (kind == "SelfSubjectRulesReview") return rules_review(std::move(review));
  return access_review(std::move(review));
}

}  // namespace keelson::sandbox
