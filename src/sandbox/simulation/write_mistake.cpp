#include "src/sandbox/simulation/write_mistake.hpp"

#include <vector>

#include "keelson/detail/base/text.hpp"
#include "keelson/json/value.hpp"
#include "src/sandbox/simulation/nearest_field.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kStrict = "strict decoding error: ";
constexpr std::string_view kUnknown = "unknown field \"";
constexpr std::string_view kNotDeclared = ": field not declared in schema";

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

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

}  // namespace

std::string described(const kube::ApiRequest& request) {
  auto text = std::string(verb_of(request)) + " " + request.resource.kind;
  const auto key = key_of(request).text();
  if (!key.empty()) text += " " + key;
  if (!request.subresource.empty()) text += "/" + request.subresource;
  return text;
}

bool is_about_unknown_field(std::string_view words) {
  return contains(words, kUnknown) || contains(words, "duplicate field \"") || contains(words, kNotDeclared);
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
  if (contains(words, "failed to create typed patch object") || contains(words, " cannot be handled as a ")) {
    return words;
  }
  // The text has the whole object in quotes before the reason.
  if (!contains(words, "patch: Invalid value: \"")) return std::nullopt;
  const auto reason = words.rfind("\": ");
  return reason == std::string::npos ? words : words.substr(reason + 3);
}

}  // namespace keelson::sandbox
