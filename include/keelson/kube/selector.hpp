// Label selectors (`kubectl get -l`) and field selectors as values, and their evaluation in memory with the API
// server's result.
//
// Example (test/examples/kube.cpp#selector):
//   keelson::Result<std::vector<kube::Selector>> selectors(std::string name, const std::string& flag) {
//     auto constant = "app=web,tier in (a,b)"_selector;          // checked by the compiler
//     auto of_values = kube::Selector::equals({{"app", name}});  // values from variables
//     KEELSON_LET(auto of_user, kube::Selector::parse(flag));    // user input
//     return std::vector<kube::Selector>{constant, of_values, of_user};
//   }
//
// All requirements must hold (AND); there is no OR, except between the values of one `in`. Both selectors are value
// types that own their texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

// A field selector (`kubectl get --field-selector`), and its evaluation in memory where it is possible.
//
// Example (test/examples/kube.cpp#field_selector):
//   std::vector<kube::FieldSelector> field_selectors(std::string node) {
//     return {"spec.nodeName=node-1,status.phase!=Failed"_fields,       // checked by the compiler
//             kube::FieldSelector::equals({{"spec.nodeName", node}})};  // any value; it is escaped
//   }
//
// All requirements must hold (AND); there is no OR. The API server decides which paths a kind has: metadata.name and
// metadata.namespace for all kinds, selectableFields of a CustomResourceDefinition, and a few fields of built-in kinds.
// It rejects others with 400 "field label not supported".
//
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

namespace keelson::kube {

// Requirements in the order in which they were written, which two equal selectors must share.
class Selector {
 public:
  // One condition on a label.
  struct Requirement {
    enum class Operator { kEquals, kNotEquals, kIn, kNotIn, kExists, kNotExists };
    std::string label;                // the key, "app.kubernetes.io/name"
    Operator op = Operator::kEquals;  // the negative ones also select objects without the label
    std::vector<std::string> values;  // one for kEquals and kNotEquals, none for kExists and kNotExists
    bool operator==(const Requirement&) const = default;
  };

  Selector() = default;  // matches everything
  // Objects with all of these labels. Texts are not checked: the API server rejects invalid ones with 400. An empty
  // list selects everything.
  [[nodiscard]] static Selector equals(std::vector<std::pair<std::string, std::string>> labels);
  // Objects that have all of these labels, with any values.
  [[nodiscard]] static Selector exists(std::vector<std::string> labels);
  // Selects no object, as the LabelSelector of an absent field. It is written as a label that must exist and must not
  // exist, so it selects nothing in a request either.
  [[nodiscard]] static Selector nothing();
  // Objects that meet all of these requirements, sorted by label. kInvalid for a requirement that the API server would
  // reject, with its text: `key: Invalid value: "a b": name part must consist of …`. For the LabelSelector of an object
  // use kube::selector_of() (keelson/api/label_selector.hpp).
  [[nodiscard]] static Result<Selector> of(std::vector<Requirement> requirements);
  // "app=web,tier in (a,b),!old": the syntax of kubectl and of apimachinery's labels.Parse, except the operators > and
  // <. kInvalid for any other text.
  [[nodiscard]] static Result<Selector> parse(std::string_view text);

  // As the API server: != and notin also select objects without the label. It reads the metadata of the object, which
  // every projection has.
  [[nodiscard]] bool matches(const Object& object) const;
  // The same for the labels of a struct, `metadata.labels`.
  [[nodiscard]] bool matches(const std::map<std::string, std::string>& labels) const;
  // For the query parameter labelSelector; parse() reads it.
  [[nodiscard]] std::string text() const;
  // True if it selects everything.
  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  // Joined by AND.
  [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }
  bool operator==(const Selector&) const = default;

 private:
  std::vector<Requirement> requirements_;
};

namespace detail {

// The checks of the literal at compile time. They accept only texts that parse() accepts; it accepts more, such as
// other white space, because a user may have typed it.
constexpr std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Empty, or at most 63 of [A-Za-z0-9-_.] with a letter or digit first and last. The API server rejects other values
// with 400, also in a watch, whose informer would then never be complete.
constexpr bool is_label_value(std::string_view text) {
  return text.empty() || (text.find('/') == std::string_view::npos && is_qualified_name(text));
}

// One requirement: "app=web", "app==web", "app!=web", "tier in (a,b)", "tier notin (a)", "app", "!app".
constexpr bool is_requirement(std::string_view text) {
  text = without_spaces(text);
  if (text.starts_with('!')) return is_qualified_name(without_spaces(text.substr(1)));
  if (text.ends_with(')')) {
    const auto open = text.find('(');
    if (open == std::string_view::npos) return false;
    // "key in (values)": the key ends at the first space.
    auto values = text.substr(open + 1, text.size() - open - 2);
    auto key = without_spaces(text.substr(0, open));
    if (!key.ends_with(" in") && !key.ends_with(" notin")) return false;
    key = key.substr(0, key.find(' '));
    for (bool has_more = true; has_more;) {
      const auto comma = values.find(',');
      has_more = comma != std::string_view::npos;
      if (!is_label_value(without_spaces(values.substr(0, comma)))) return false;
      if (has_more) values.remove_prefix(comma + 1);
    }
    return is_qualified_name(key);
  }
  // "key=value", "key==value", "key!=value", or a key alone.
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return is_qualified_name(text);
  auto key = text.substr(0, equals);
  auto value = text.substr(equals + 1);
  if (key.ends_with('!')) {
    key.remove_suffix(1);
  } else if (value.starts_with('=')) {
    value.remove_prefix(1);
  }
  return is_qualified_name(without_spaces(key)) && is_label_value(without_spaces(value));
}

// Requirements with commas between them; commas in parentheses separate values. An empty text is not accepted: a
// selector that selects everything is written as Selector().
constexpr bool is_selector(std::string_view text) {
  std::size_t begin = 0;
  bool is_inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') is_inside = true;
    if (i < text.size() && text[i] == ')') is_inside = false;
    if (i < text.size() && (text[i] != ',' || is_inside)) continue;
    if (!is_requirement(text.substr(begin, i - begin))) return false;
    begin = i + 1;
  }
  return true;
}

}  // namespace detail

inline namespace literals {

// "app=web,tier in (a,b)"_selector: a selector that is checked by the compiler. It parses the text at each call.
template <detail::FixedText kText>
[[nodiscard]] Selector operator""_selector() {
  static_assert(detail::is_selector(kText.text),
                "this is not a label selector: write \"app=web\", \"app!=web\", \"tier in (a,b)\", \"tier notin (a)\", "
                "\"app\" or \"!app\", with commas between them");
  return Selector::parse(kText.text).value();
}

}  // namespace literals

}  // namespace keelson::kube

// So that `using namespace keelson` makes the suffix available.
namespace keelson {
using namespace kube::literals;
}  // namespace keelson
