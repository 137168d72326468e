#include "src/sandbox/simulation/write_mistake.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/json/value.hpp"
#include "src/sandbox/authorization/policy_rule.hpp"
#include "src/sandbox/simulation/nearest_field.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kStrict = "strict decoding error: ";
constexpr std::string_view kUnknown = "unknown field \"";
constexpr std::string_view kNotDeclared = ": field not declared in schema";

bool has_part(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

const char* verb_of(const kube::ApiRequest& request) {
  switch (request.verb) {
    case kube::Verb::kCreate:
      return "create";
    case kube::Verb::kUpdate:
      return "update";
    case kube::Verb::kPatch:
      return request.patch_type == kube::PatchType::kApply ? "apply" : "patch";
    case kube::Verb::kDelete:
    case kube::Verb::kDeleteCollection:
      return "delete";
    case kube::Verb::kList:
      return "list";
    case kube::Verb::kWatch:
      return "watch";
    case kube::Verb::kGet:
      break;
  }
  return "get";
}

// The name of a create is in the object.
kube::Key key_of(const kube::ApiRequest& request) {
  auto key = request.key;
  if (!key.name.empty() || request.body.empty()) return key;
  auto object = json::Document::parse(request.body);
  if (object) key.name = object->root().at({"metadata", "name"}).string().value_or("");
  return key;
}

// `unknown field "spec.a", unknown field "spec.b"`, or `…): .spec.a: field not declared in schema`
std::vector<std::string> unknown_fields(std::string_view words) {
  std::vector<std::string> paths;
  for (auto begin = words.find(kUnknown); begin != std::string_view::npos; begin = words.find(kUnknown, begin)) {
    begin += kUnknown.size();
    paths.emplace_back(words.substr(begin, words.find('"', begin) - begin));
  }
  const auto end = words.rfind(kNotDeclared);
  if (end == std::string_view::npos) return paths;
  const auto before = words.substr(0, end).rfind("): ");
  if (before != std::string_view::npos) paths.emplace_back(words.substr(before + 3, end - before - 3));
  return paths;
}

bool are_allowed(const Access& access, const std::vector<controller::PolicyRule>& rules) {
  return std::ranges::any_of(rules, [&](const controller::PolicyRule& rule) {
    return allows({rule.verbs, rule.groups, rule.resources, {}, {}}, access);
  });
}

// An apply that creates an object needs both verbs.
std::vector<Access> accesses_of(const kube::ApiRequest& request) {
  std::vector<Access> all{access_of(request)};
  if (request.verb == kube::Verb::kPatch && request.patch_type == kube::PatchType::kApply) {
    all.push_back(all.front());
    all.back().verb = "create";
    all.back().name.clear();
  }
  return all;
}

}  // namespace

std::string described(const kube::ApiRequest& request) {
  auto text = std::string(verb_of(request)) + " " + request.resource.kind;
  const auto key = key_of(request).text();
  if (!key.empty()) text += " " + key;
  if (!request.subresource.empty()) text += "/" + request.subresource;
  return text;
}

bool is_about_unknown_field(std::string_view words) {
  return has_part(words, kUnknown) || has_part(words, "duplicate field \"") || has_part(words, kNotDeclared);
}

std::string with_nearest_fields(std::string words, const ServedKind* kind) {
  if (kind == nullptr) return words;
  std::vector<std::string> meant;
  for (const auto& path : unknown_fields(words)) {
    if (auto field = nearest_field(*kind, path)) meant.push_back(*field);
  }
  if (!meant.empty()) words += " (did you mean " + base::join(meant, ", ") + "?)";
  return words;
}

std::optional<std::string> words_about_fields(const Error& error) {
  if (error.kind != Error::Kind::kStatus && error.kind != Error::Kind::kTerminal) return std::nullopt;
  const auto& words = error.server_text;
  if (const auto strict = words.rfind(kStrict); strict != std::string::npos) return words.substr(strict);
  if (has_part(words, "failed to create typed patch object") || has_part(words, " cannot be handled as a ")) {
    return words;
  }
  // The text has the whole object in quotes before the reason.
  if (!has_part(words, "patch: Invalid value: \"")) return std::nullopt;
  const auto reason = words.rfind("\": ");
  return reason == std::string::npos ? words : words.substr(reason + 3);
}

std::optional<std::string> missing_rule(const kube::ApiRequest& request, const Error& error,
                                        const std::vector<controller::Definition>& definitions) {
  if (!kube::is_forbidden(error)) return std::nullopt;
  const auto rules = controller::manager_rules(definitions);
  for (const auto& access : accesses_of(request)) {
    const bool is_named = error.server_text.find(" cannot " + access.verb + " resource ") != std::string::npos;
    if (!is_named || are_allowed(access, rules)) continue;
    const auto resource = access.subresource.empty() ? access.resource : access.resource + "/" + access.subresource;
    const auto owner =
        definitions.size() == 1 ? "controller " + definitions.front().name() : "the controller that sends the request";
    return "add .rbac({" + base::quote_go(access.group) + ", " + base::quote_go(resource) + ", {" +
           base::quote_go(access.verb) + "}}) to the definition of " + owner;
  }
  return std::nullopt;
}

}  // namespace keelson::sandbox
