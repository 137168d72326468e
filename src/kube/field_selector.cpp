#include "keelson/kube/selector.hpp"

#include <algorithm>
#include <array>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/json/value.hpp"

namespace keelson::kube {

namespace {

using Match = FieldSelector::Match;
constexpr auto kEquals = FieldSelector::Requirement::Operator::kEquals;

// Selectable paths of built-in kinds that have another location in the object: status.successful of a Job is
// status.succeeded, and the source of an Event is one of two fields.
constexpr std::array<std::string_view, 3> kOtherPlaces{"status.successful", "source", "reportingComponent"};

std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == ',' || c == '=') text += '\\';
    text += c;
  }
  return text;
}

Error not_a_selector(std::string_view text, std::string why) {
  return invalid_error("invalid field selector \"" + std::string(text) + "\": " + std::move(why));
}

Result<FieldSelector::Requirement> requirement_of(std::string_view text, std::string_view term) {
  const auto split = detail::split_field_term(term);
  if (!split) return not_a_selector(text, "can't understand \"" + std::string(term) + "\", expected =, == or !=");
  if (!detail::is_field_path(split->path)) {
    return not_a_selector(text, "\"" + std::string(split->path) + "\" is not a path of fields such as spec.nodeName");
  }
  if (!detail::is_escaped_value(split->value)) {
    return not_a_selector(text, "the value \"" + std::string(split->value) +
                                    R"(" has a comma, = or \ that is not escaped: write \, \= or \\)");
  }
  return FieldSelector::Requirement{std::string(split->path), split->op, detail::unescaped_value(split->value)};
}

json::View at_path(json::View view, std::string_view path) {
  while (!path.empty()) {
    const auto end = std::min(path.find('.'), path.size());
    view = view.find(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return view;
}

Match match_text(const FieldSelector::Requirement& requirement, std::string_view text) {
  return (text == requirement.value) == (requirement.op == kEquals) ? Match::kYes : Match::kNo;
}

// Matches a path outside of metadata.
Match match_content(const FieldSelector::Requirement& requirement, json::View root) {
  if (root.find("kind").string() == "PartialObjectMetadata") return Match::kUnknown;
  if (std::ranges::find(kOtherPlaces, requirement.path) != kOtherPlaces.end()) return Match::kUnknown;
  const auto value = at_path(root, requirement.path);
  if (value.is_object() || value.is_array()) return Match::kUnknown;
  if (value.has_value()) {
    const auto string = value.string();
    return match_text(requirement, string ? std::string(*string) : value.text());
  }
  if (requirement.value == "false" || requirement.value == "0") return Match::kUnknown;
  return match_text(requirement, "");
}

Match match_one(const FieldSelector::Requirement& requirement, const Object& object, json::View root) {
  if (requirement.path == "metadata.name") return match_text(requirement, object.name());
  if (requirement.path == "metadata.namespace") return match_text(requirement, object.ns());
  return match_content(requirement, root);
}

}  // namespace

std::string detail::unescaped_value(std::string_view value) {
  std::string text;
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] == '\\') ++at;
    text += value[at];
  }
  return text;
}

FieldSelector FieldSelector::equals(std::vector<std::pair<std::string, std::string>> fields) {
  FieldSelector selector;
  for (auto& [path, value] : fields) {
    if (!detail::is_field_path(path)) {
      throw base::Misuse("FieldSelector::equals: \"" + path + "\" is not a path of fields such as \"spec.nodeName\"");
    }
    selector.requirements_.push_back({std::move(path), kEquals, std::move(value)});
  }
  return selector;
}

Result<FieldSelector> FieldSelector::parse(std::string_view text) {
  FieldSelector selector;
  for (auto rest = text; !rest.empty();) {
    const auto term = detail::take_field_term(rest);
    if (term.empty()) continue;
    KEELSON_LET(auto requirement, requirement_of(text, term));
    selector.requirements_.push_back(std::move(requirement));
  }
  return selector;
}

Match FieldSelector::match(const Object& object) const {
  if (empty()) return Match::kYes;
  const auto document = json::Document::parse(object.json());
  if (!document) return Match::kUnknown;
  auto all = Match::kYes;
  for (const auto& requirement : requirements_) {
    const auto one = match_one(requirement, object, document->root());
    if (one == Match::kNo) return one;
    if (one == Match::kUnknown) all = one;
  }
  return all;
}

std::string FieldSelector::text() const {
  std::string out;
  for (const auto& requirement : requirements_) {
    if (!out.empty()) out += ',';
    out += requirement.path + (requirement.op == kEquals ? "=" : "!=") + escaped(requirement.value);
  }
  return out;
}

}  // namespace keelson::kube
