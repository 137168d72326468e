#include "src/kubeconfig/members_of.hpp"

#include <utility>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"

namespace keelson::kube {

namespace {

const char* type_of(json::View view) {
  if (view.is_object()) return "an object";
  if (view.is_array()) return "a list";
  if (view.is_string()) return "a string";
  if (view.is_bool()) return "a boolean";
  return view.is_number() ? "a number" : "null";
}

}  // namespace

MembersOf::MembersOf(json::View view, std::string path, std::optional<Error>& problem)
    : view_(view), path_(std::move(path)), problem_(problem) {
  if (view_.has_value() && !view_.is_object()) fail(path_, view_, "an object");
}

void MembersOf::read(const char* name, std::string& target) {
  auto member = view_.find(name);
  if (!member.has_value()) return;
  if (auto text = member.string()) {
    target = std::string(*text);
  } else {
    fail(path_of(name), member, "a string");
  }
}

void MembersOf::read(const char* name, bool& target) {
  auto member = view_.find(name);
  if (!member.has_value()) return;
  if (auto truth = member.boolean()) {
    target = *truth;
  } else {
    fail(path_of(name), member, "a boolean");
  }
}

void MembersOf::read_base64(const char* name, std::string& target) {
  std::string encoded;
  read(name, encoded);
  auto decoded = base::base64_decode(encoded);
  if (decoded) {
    target = std::move(*decoded);
  } else if (!problem_) {
    problem_ = std::move(decoded).error().with_context(path_of(name));
  }
}

void MembersOf::read(const char* name, std::vector<std::string>& target) {
  read_strings(view_.find(name), path_of(name), target);
}

void MembersOf::read(const char* name, std::map<std::string, std::vector<std::string>>& target) {
  auto member = view_.find(name);
  if (member.has_value() && !member.is_object()) return fail(path_of(name), member, "an object");
  for (const auto& [key, value] : member.members()) {
    read_strings(value, path_of(name) + "." + std::string(key), target[std::string(key)]);
  }
}

void MembersOf::fail_duplicate(const std::string& name, std::string_view type) {
  if (problem_) return;
  problem_ = invalid_error("error converting *[]Named" + std::string(type) + " into *map[string]*api." +
                           std::string(type) + ": duplicate name " + base::quote_go(name) + " in list");
}

void MembersOf::fail(const std::string& path, json::View found, const char* expected) {
  if (problem_) return;
  auto hint = found.is_number() && std::string_view(expected) == "a string" ? " (put it in quotes)" : "";
  problem_ = invalid_error(path + ": expected " + expected + ", found " + type_of(found) + hint);
}

void MembersOf::read_strings(json::View list, const std::string& path, std::vector<std::string>& target) {
  if (list.has_value() && !list.is_array()) return fail(path, list, "a list");
  for (auto item : list.items()) {
    auto text = item.string();
    if (!text && item.has_value()) return fail(path, item, "strings in the list");
    target.emplace_back(text.value_or(""));
  }
}

}  // namespace keelson::kube
