#include "src/access/review.hpp"

#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::access {

namespace {

// Begins the JSON of a review; the caller adds the members of its spec.
json::Writer begin_review(const kube::Resource& resource) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", resource.api_version()).field("kind", resource.kind);
  writer.key("spec").begin_object();
  return writer;
}

Review end_review(kube::Resource resource, json::Writer writer) {
  writer.end_object().end_object();
  return {std::move(resource), std::move(writer).take()};
}

Result<json::Document> parse_answer(std::string_view answer, std::string_view kind) {
  auto document = json::Document::parse(answer);
  if (!document) return document;
  if (document->root().find("kind").string() == kind) return document;
  return malformed_error("the reply is not a " + std::string(kind));
}

std::string json_or_empty(json::View view) { return view.has_value() ? view.text() : std::string(); }

// An absent or null value has each type, as in Go.
bool is_string(json::View view) { return !view.has_value() || view.is_string(); }

bool is_string_list(json::View view) {
  for (const auto item : view.items()) {
    if (!item.is_string()) return false;
  }
  return !view.has_value() || view.is_array();
}

bool contains(json::View list, std::string_view text) {
  for (const auto item : list.items()) {
    if (item.string() == text) return true;
  }
  return false;
}

bool is_string_list_map(json::View view) {
  for (const auto& [name, value] : view.members()) {
    if (!is_string_list(value)) return false;
  }
  return !view.has_value() || view.is_object();
}

}  // namespace

Review token_review(std::string_view token, std::string_view audience) {
  kube::Resource resource("authentication.k8s.io", "v1", "TokenReview", "tokenreviews", false);
  auto writer = begin_review(resource);
  writer.field("token", token);
  if (!audience.empty()) writer.key("audiences").begin_array().string(audience).end_array();
  return end_review(std::move(resource), std::move(writer));
}

Review self_review() {
  // The only review without a spec: the API server warns of an unknown field.
  kube::Resource resource("authentication.k8s.io", "v1", "SelfSubjectReview", "selfsubjectreviews", false);
  json::Writer writer;
  writer.begin_object().field("apiVersion", resource.api_version()).field("kind", resource.kind).end_object();
  return {std::move(resource), std::move(writer).take()};
}

Review access_review(const User& user, std::string_view verb, std::string_view path) {
  kube::Resource resource("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews", false);
  auto writer = begin_review(resource);
  writer.key("nonResourceAttributes").begin_object().field("path", path).field("verb", verb).end_object();
  writer.field("user", user.name);
  if (!user.uid.empty()) writer.field("uid", user.uid);
  if (!user.groups.empty()) writer.raw_field("groups", user.groups);
  if (!user.extra.empty()) writer.raw_field("extra", user.extra);
  return end_review(std::move(resource), std::move(writer));
}

Result<std::optional<User>> parse_token_review(std::string_view answer, std::string_view audience) {
  KEELSON_LET(auto document, parse_answer(answer, "TokenReview"));
  const auto status = document.root().find("status");
  if (!status.find("authenticated").boolean().value_or(false)) return std::optional<User>();
  // An API server that ignores audiences accepts any of its tokens.
  if (!audience.empty() && !contains(status.find("audiences"), audience)) return std::optional<User>();
  const auto found = status.find("user");
  User user;
  user.name = found.find("username").string().value_or("");
  if (user.name.empty()) return malformed_error("the TokenReview has no user name");
  const auto uid = found.find("uid");
  const auto groups = found.find("groups");
  const auto extra = found.find("extra");
  // The user is copied into the next request, groups and extra byte for byte.
  const bool has_types = is_string(uid) && is_string_list(groups) && is_string_list_map(extra);
  if (!has_types) return malformed_error("the uid, groups or extra of the TokenReview's user have the wrong type");
  user.uid = uid.string().value_or("");
  user.groups = json_or_empty(groups);
  user.extra = json_or_empty(extra);
  return std::optional(std::move(user));
}

Result<std::string> parse_self_review(std::string_view answer) {
  KEELSON_LET(auto document, parse_answer(answer, "SelfSubjectReview"));
  std::string name(document.root().find("status").find("userInfo").find("username").string().value_or(""));
  if (name.empty()) return malformed_error("the SelfSubjectReview has no user name");
  return name;
}

Result<bool> parse_access_review(std::string_view answer) {
  KEELSON_LET(auto document, parse_answer(answer, "SubjectAccessReview"));
  const auto status = document.root().find("status");
  const auto allowed = status.find("allowed").boolean();
  if (!allowed) return malformed_error("the SubjectAccessReview has no status.allowed");
  return *allowed && !status.find("denied").boolean().value_or(false);
}

}  // namespace keelson::access
