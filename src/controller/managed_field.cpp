#include "src/controller/managed_field.hpp"

#include <algorithm>
#include <ranges>

#include "keelson/json/writer.hpp"

namespace keelson::controller {

namespace {

constexpr std::string_view kMember = "f:";
constexpr std::string_view kItemByKey = "k:";
constexpr std::string_view kItemByIndex = "i:";

std::string_view argument_of(std::string_view step) { return step.substr(kMember.size()); }

// A name with a dot, such as that of an annotation, is written in brackets.
std::string member_text(std::string_view name, bool is_first) {
  if (name.find_first_of("./[]\" ") != std::string_view::npos) return "[" + json::quoted(name) + "]";
  return (is_first ? "" : ".") + std::string(name);
}

// `{"containerPort":80,"protocol":"TCP"}` as "containerPort=80,protocol=TCP".
std::string key_text(std::string_view key) {
  const auto document = json::Document::parse(key);
  if (!document) return std::string(key);
  std::string text;
  for (const auto& [name, value] : document->root().members()) {
    const auto words = value.string() ? std::string(*value.string()) : value.text();
    text += (text.empty() ? "" : ",") + std::string(name) + "=" + words;
  }
  return text;
}

}  // namespace

void ManagedField::prepend_member(std::string_view name) { steps_.push_back(std::string(kMember).append(name)); }

// The API server writes the members of a key in alphabetical order, and so are those of ListKey.
void ManagedField::prepend_item(const ListKey& key, json::View item) {
  json::Writer writer;
  writer.begin_object();
  for (const auto member : key.members) {
    if (!member.empty() && item.find(member).has_value()) writer.field(member, item.find(member));
  }
  writer.end_object();
  steps_.push_back(std::string(kItemByKey) + std::move(writer).take());
}

void ManagedField::prepend_item(std::size_t index) {
  steps_.push_back(std::string(kItemByIndex) + std::to_string(index));
}

std::string ManagedField::text() const {
  std::string text;
  for (const std::string_view step : steps_ | std::views::reverse) {
    if (step.starts_with(kMember)) {
      text += member_text(argument_of(step), text.empty());
    } else {
      text += "[" + (step.starts_with(kItemByKey) ? key_text(argument_of(step)) : std::string(argument_of(step))) + "]";
    }
  }
  return text;
}

std::vector<std::string> managers_of(json::View managed_fields, const ManagedField& field) {
  std::vector<std::string> managers;
  for (const auto entry : managed_fields.items()) {
    auto owned = entry.find("fieldsV1");
    if (owned.size() == 0) continue;
    for (const std::string_view step : field.steps_ | std::views::reverse) {
      // An entry without fields below this one, such as an atomic list, owns everything below it.
      if (!owned.is_object() || owned.size() == 0) break;
      owned = owned.find(step);
    }
    const auto manager = entry.find("manager").string();
    if (!owned.is_object() || !manager) continue;
    if (std::ranges::find(managers, *manager) == managers.end()) managers.emplace_back(*manager);
  }
  return managers;
}

}  // namespace keelson::controller
