// Label selectors (`kubectl get -l`) as values, and their evaluation in memory with the API server's result.
//
// Example (test/examples/kube.cpp#selector):
//   keelson::Result<std::vector<kube::Selector>> selectors(std::string name, const std::string& flag) {
//     auto constant = "app=web,tier in (a,b)"_selector;          // checked by the compiler
//     auto of_values = kube::Selector::equals({{"app", name}});  // values from variables
//     KEELSON_LET(auto of_user, kube::Selector::parse(flag));    // user input
//     return std::vector<kube::Selector>{constant, of_values, of_user};
//   }
//
// All requirements must hold (AND); there is no OR, except between the values of one `in`. A value type that owns its
// texts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/kube/object.hpp"

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
