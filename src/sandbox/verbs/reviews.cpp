#include "src/sandbox/verbs/reviews.hpp"

#include "keelson/base/try.hpp"
#include "src/sandbox/authentication/authentication.hpp"
#include "src/sandbox/authorization/access_reviews.hpp"

namespace keelson::sandbox {

namespace {

Tree strings(const std::vector<std::string>& texts) {
  auto list = Tree::array();
  for (const auto& text : texts) list.items().emplace_back(text);
  return list;
}

RejectionOr<Answer> who_am_i(Tree review, const UserInfo& user, const std::string& now) {
  review["metadata"]["creationTimestamp"] = now;
  review["status"] = Tree::object({{"userInfo", user_info(user)}});
  return Answer{201, review.text()};
}

RejectionOr<Answer> token_review(Tree review, Authentication& authentication) {
  auto token = review.text_at({"spec", "token"});
  if (token.empty()) return bad_request("token is required for TokenReview in authentication");
  auto owner = authentication.owner_of(token, review.texts_at({"spec", "audiences"}));
  review["status"] =
      owner ? Tree::object(
                  {{"authenticated", true}, {"user", user_info(owner->user)}, {"audiences", strings(owner->audiences)}})
            : Tree::object({{"user", Tree::object()}, {"error", owner.error().text}});
  return Answer{201, review.text()};
}

}  // namespace

Tree user_info(const UserInfo& user) {
  auto info = Tree::object({{"username", user.name}});
  if (!user.uid.empty()) info["uid"] = user.uid;
  if (!user.groups.empty()) info["groups"] = strings(user.groups);
  for (const auto& [key, values] : user.extra) info["extra"][key] = strings(values);
  return info;
}

RejectionOr<Answer> review(const Call& call, Authentication& authentication, const std::string& now) {
  KEELSON_LET(const auto body, object_in(call));
  const auto& kind = call.resource().kind;
  auto review = Tree::object({{"kind", kind}, {"apiVersion", call.resource().api_version()}});
  for (const char* name : {"metadata", "spec"}) review[name] = body.copy_at({name});
  if (kind == "SelfSubjectReview") {
    review.erase("spec");
    return who_am_i(std::move(review), call.user, now);
  }
  if (kind == "TokenReview") return token_review(std::move(review), authentication);
  return review_access(call, std::move(review));
}

}  // namespace keelson::sandbox
