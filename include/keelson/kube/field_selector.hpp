// Field selectors (`kubectl get --field-selector`) as values, and their evaluation in memory where it is possible.
//
// Example (test/examples/kube.cpp#field_selector):
//   std::vector<kube::FieldSelector> field_selectors(std::string node) {
//     return {"spec.nodeName=node-1,status.phase!=Failed"_fields,       // checked by the compiler
//             kube::FieldSelector::equals({{"spec.nodeName", node}})};  // any value; it is escaped
//   }
//
// All requirements must hold (AND); there is no OR. The API server decides which paths a kind has: metadata.name and
// metadata.namespace for all kinds, selectableFields of a CustomResourceDefinition, and a few fields of built-in kinds.
// It rejects others with 400 "field label not supported". A value type that owns its texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

// Conditions on fields. An object without the field has the zero value of its type there.
class FieldSelector {
 public:
  // One comparison of a field with a text; numbers and bools are compared as text, "3" and "true".
  struct Requirement {
    enum class Operator : std::uint8_t { kEquals, kNotEquals };
    // "spec.nodeName": field names with dots between them.
    std::string path;
    Operator op = Operator::kEquals;
    std::string value;  // not escaped
    bool operator==(const Requirement&) const = default;
  };

  // Selects everything.
  FieldSelector() = default;
  // A selector of fields with these values, any texts. Throws base::Misuse for a path that does not consist of field
  // names. An empty list selects everything.
  [[nodiscard]] static FieldSelector equals(std::vector<std::pair<std::string, std::string>> fields);
  // "a.b=x,c==y,d!=z", with the escapes `\,`, `\=` and `\\` in values, as apimachinery's fields.ParseSelector. Unlike
  // there, a path must consist of field names. kInvalid for any other text, with the reason.
  [[nodiscard]] static Result<FieldSelector> parse(std::string_view text);

  // kUnknown: only the API server knows. Two cases lead to it: an absent field has its type's zero value there (empty,
  // "false" or "0"), and a few paths of built-in kinds have another location in the object.
  enum class Match : std::uint8_t { kYes, kNo, kUnknown };
  // Whether the API server would select `object`, which must be whole, not projected. For a PartialObjectMetadata all
  // paths outside of metadata are kUnknown. Parses the object.
  [[nodiscard]] Match match(const Object& object) const;

  // For the query parameter fieldSelector, with escapes; parse() reads it.
  [[nodiscard]] std::string text() const;
  // True if it selects everything.
  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  // Joined by AND.
  [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }
  bool operator==(const FieldSelector&) const = default;

 private:
  std::vector<Requirement> requirements_;
};

namespace detail {

// A term such as "spec.nodeName=node-1", split. The texts refer to the selector's text.
struct FieldTerm {
  std::string_view path;                    // not checked yet
  FieldSelector::Requirement::Operator op;  // "=" and "==" are both kEquals
  std::string_view value;                   // still escaped
};

// Removes and returns the first term: the text up to a comma that is not escaped. An empty text has an empty term.
constexpr std::string_view take_field_term(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && text[size] != ',') size += text[size] == '\\' ? 2 : 1;
  const auto term = text.substr(0, size);
  text = size < text.size() ? text.substr(size + 1) : std::string_view();
  return term;
}

// Splits a term at its first operator; nullopt if it has none. A path has no escapes, so the first operator is the one.
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

// Field names with dots between them. Brackets and indices are not field names: an item of a list cannot be selected.
constexpr bool is_field_path(std::string_view path) {
  char before = '.';
  for (const char c : path) {
    if (!is_letter(c) && !is_digit(c) && c != '_' && c != '-' && (c != '.' || before == '.')) return false;
    before = c;
  }
  return before != '.';
}

// Whether each comma, = and backslash of the value is escaped. Nothing else may be escaped: a backslash before any
// other character is an error, as in apimachinery.
constexpr bool is_escaped_value(std::string_view value) {
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] == ',' || value[at] == '=') return false;
    if (value[at] != '\\') continue;
    ++at;
    if (at == value.size() || (value[at] != '\\' && value[at] != ',' && value[at] != '=')) return false;
  }
  return true;
}

// The value without its escapes; `value` must pass is_escaped_value().
[[nodiscard]] std::string unescaped_value(std::string_view value);

// Whether parse() accepts the text. Empty terms are skipped, as in apimachinery.
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

// "spec.nodeName=node-1,status.phase!=Failed"_fields: a selector that is checked by the compiler. Whether the kind has
// the fields is not checked: the API server rejects the list and the watch otherwise.
template <detail::FixedText kText>
[[nodiscard]] FieldSelector operator""_fields() {
  static_assert(detail::is_field_selector(kText.text),
                "this is not a field selector: write \"spec.nodeName=node-1\" or \"status.phase!=Failed\", with commas "
                "between them, and \\\\, \\, and \\= for these characters in a value");
  return FieldSelector::parse(kText.text).value();
}

}  // namespace literals

}  // namespace keelson::kube

// So that `using namespace keelson` makes the suffix available.
namespace keelson {
using namespace kube::literals;
}  // namespace keelson
