// Field selectors: what the API server filters by, and their evaluation in memory where it is possible.
//
//   "spec.nodeName=node-1,status.phase!=Failed"_fields             // checked by the compiler
//   kube::FieldSelector::equals({{"spec.nodeName", node}})         // any value; it is escaped
//
// The API server decides which paths a kind has: metadata.name and metadata.namespace of all kinds, selectableFields of
// a CustomResourceDefinition, a few fields of built-in kinds. It rejects others with 400 "field label not supported".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/kube/literal.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

class FieldSelector {
 public:
  struct Requirement {
    enum class Operator : std::uint8_t { kEquals, kNotEquals };
    std::string path;  // "spec.nodeName"
    Operator op = Operator::kEquals;
    std::string value;
    bool operator==(const Requirement&) const = default;
  };

  FieldSelector() = default;  // matches everything
  // Throws base::Misuse for a path that is not a path of fields. Values are any text.
  [[nodiscard]] static FieldSelector equals(std::vector<std::pair<std::string, std::string>> fields);
  // "a.b=x,c==y,d!=z", with `\,`, `\=` and `\\` in values, as apimachinery's fields.ParseSelector reads it. Unlike
  // there a path consists of field names.
  [[nodiscard]] static Result<FieldSelector> parse(std::string_view text);

  // kUnknown: only the API server can tell. An absent field has its type's zero value there (empty, "false" or "0"),
  // and a few paths of built-in kinds have another location in the object.
  enum class Match : std::uint8_t { kYes, kNo, kUnknown };
  // `object` is whole, not projected. Of a PartialObjectMetadata all paths outside metadata are kUnknown.
  [[nodiscard]] Match match(const Object& object) const;

  [[nodiscard]] std::string text() const;  // for fieldSelector=
  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }
  bool operator==(const FieldSelector&) const = default;

 private:
  std::vector<Requirement> requirements_;
};

namespace detail {

struct FieldTerm {
  std::string_view path;
  FieldSelector::Requirement::Operator op;
  std::string_view value;  // still escaped
};

// Takes the first term off: the text up to a comma that is not escaped.
constexpr std::string_view take_field_term(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && text[size] != ',') size += text[size] == '\\' ? 2 : 1;
  const auto term = text.substr(0, size);
  text = size < text.size() ? text.substr(size + 1) : std::string_view();
  return term;
}

constexpr std::optional<FieldTerm> split_field_term(std::string_view term) {
  using Operator = FieldSelector::Requirement::Operator;
  for (std::size_t at = 0; at < term.size(); ++at) {
    const auto rest = term.substr(at);
    if (rest.starts_with("!=")) return FieldTerm{term.substr(0, at), Operator::kNotEquals, rest.substr(2)};
    if (rest.starts_with("==")) return FieldTerm{term.substr(0, at), Operator::kEquals, rest.substr(2)};
    if (rest.starts_with("=")) return FieldTerm{term.substr(0, at), Operator::kEquals, rest.substr(1)};
  }
  return std::nullopt;
}

// Field names with dots between them.
constexpr bool is_field_path(std::string_view path) {
  char before = '.';
  for (const char c : path) {
    if (!is_letter(c) && !is_digit(c) && c != '_' && c != '-' && (c != '.' || before == '.')) return false;
    before = c;
  }
  return before != '.';
}

constexpr bool is_escaped_value(std::string_view value) {
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] == ',' || value[at] == '=') return false;
    if (value[at] != '\\') continue;
    ++at;
    if (at == value.size() || (value[at] != '\\' && value[at] != ',' && value[at] != '=')) return false;
  }
  return true;
}

// Of an escaped value.
[[nodiscard]] std::string unescaped_value(std::string_view value);

constexpr bool is_field_selector(std::string_view text) {
  while (!text.empty()) {
    const auto taken = take_field_term(text);
    if (taken.empty()) continue;
    const auto term = split_field_term(taken);
    if (!term || !is_field_path(term->path) || !is_escaped_value(term->value)) return false;
  }
  return true;
}

}  // namespace detail

inline namespace literals {

// "spec.nodeName=node-1,status.phase!=Failed"_fields
template <detail::FixedText kText>
[[nodiscard]] FieldSelector operator""_fields() {
  static_assert(detail::is_field_selector(kText.text),
                "this is not a field selector: write \"spec.nodeName=node-1\" or \"status.phase!=Failed\", with commas "
                "between them, and \\\\, \\, and \\= for these characters in a value");
  return FieldSelector::parse(kText.text).value();
}

}  // namespace literals

}  // namespace keelson::kube

namespace keelson {
using namespace kube::literals;
}  // namespace keelson
