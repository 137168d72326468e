#include "src/kube/label_check.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kLabelBytes = 63;
constexpr std::size_t kSubdomainBytes = 253;
constexpr const char* kNamePart =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char* kWholeKey =
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. "
    "'example.com/MyName')";
constexpr const char* kPrefixPart =
    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr const char* kValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

std::string most(std::size_t bytes) { return "must be no more than " + std::to_string(bytes) + " bytes"; }

// The characters of a name, without the limit of its length.
bool has_label_characters(std::string_view text) {
  const auto is_outer = [](char c) { return detail::is_letter(c) || base::is_digit(c); };
  const auto is_inner = [&](char c) { return is_outer(c) || c == '-' || c == '_' || c == '.'; };
  return !text.empty() && is_outer(text.front()) && is_outer(text.back()) && std::ranges::all_of(text, is_inner);
}

// Labels of a-z, 0-9 and '-' with dots between them.
bool has_subdomain_characters(std::string_view text) {
  const auto is_alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c); };
  for (bool has_more = true; has_more;) {
    const auto dot = text.find('.');
    const auto label = text.substr(0, dot);
    if (label.empty() || !is_alphanumeric(label.front()) || !is_alphanumeric(label.back())) return false;
    if (!std::ranges::all_of(label, [&](char c) { return is_alphanumeric(c) || c == '-'; })) return false;
    has_more = dot != std::string_view::npos;
    if (has_more) text.remove_prefix(dot + 1);
  }
  return true;
}

Texts key_problems(std::string_view key) {
  Texts problems;
  const auto slash = key.find('/');
  if (slash != std::string_view::npos) {
    const auto prefix = key.substr(0, slash);
    key.remove_prefix(slash + 1);
    if (key.find('/') != std::string_view::npos) return {kWholeKey};
    if (prefix.empty()) problems.emplace_back("prefix part must be non-empty");
    if (prefix.size() > kSubdomainBytes) problems.push_back("prefix part " + most(kSubdomainBytes));
    if (!prefix.empty() && !has_subdomain_characters(prefix)) problems.emplace_back(kPrefixPart);
  }
  if (key.empty()) problems.emplace_back("name part must be non-empty");
  if (key.size() > kLabelBytes) problems.push_back("name part " + most(kLabelBytes));
  if (!has_label_characters(key)) problems.emplace_back(kNamePart);
  return problems;
}

Texts value_problems(std::string_view value) {
  Texts problems;
  if (value.size() > kLabelBytes) problems.push_back(most(kLabelBytes));
  if (!value.empty() && !has_label_characters(value)) problems.emplace_back(kValue);
  return problems;
}

std::string invalid_text(const std::string& path, const std::string& value, const std::string& why) {
  return path + ": Invalid value: " + value + ": " + why;
}

// Go writes an empty list that was never set as null.
std::string json_of(const Texts& values) {
  if (values.empty()) return "null";
  json::Writer writer;
  writer.begin_array();
  for (const auto& value : values) writer.string(value);
  writer.end_array();
  return std::move(writer).take();
}

const char* count_problem(const Selector::Requirement& requirement) {
  using Operator = Selector::Requirement::Operator;
  switch (requirement.op) {
    case Operator::kIn:
    case Operator::kNotIn:
      return requirement.values.empty() ? "for 'in', 'notin' operators, values set can't be empty" : nullptr;
    case Operator::kEquals:
    case Operator::kNotEquals:
      return requirement.values.size() == 1 ? nullptr : "exact-match compatibility requires one single value";
    case Operator::kExists:
    case Operator::kNotExists:
      return requirement.values.empty() ? nullptr : "values set must be empty for exists and does not exist";
  }
  return nullptr;
}

}  // namespace

std::optional<Error> requirement_error(const Selector::Requirement& requirement) {
  Texts errors;
  const auto& key = requirement.label;
  if (const auto problems = key_problems(key); !problems.empty()) {
    errors.push_back(invalid_text("key", base::quote_go(key), base::join(problems, "; ")));
  }
  if (const auto* problem = count_problem(requirement)) {
    errors.push_back(invalid_text("values", json_of(requirement.values), problem));
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const auto& value = requirement.values[i];
    const auto problems = value_problems(value);
    if (problems.empty()) continue;
    const auto path = "values[" + std::to_string(i) + "][" + key + "]";
    errors.push_back(invalid_text(path, base::quote_go(value), base::join(problems, "; ")));
  }
  if (errors.empty()) return std::nullopt;
  return invalid_error(errors.size() == 1 ? errors.front() : "[" + base::join(errors, ", ") + "]");
}

}  // namespace keelson::kube
