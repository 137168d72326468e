// Label selectors: what the API server filters by, and the same decision in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/kube/literal.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

class Selector {
 public:
  struct Requirement {
    enum class Operator { kEquals, kNotEquals, kIn, kNotIn, kExists, kNotExists };
    std::string label;
    Operator op = Operator::kEquals;
    std::vector<std::string> values;
    bool operator==(const Requirement&) const = default;
  };

  Selector() = default;  // matches everything
  [[nodiscard]] static Selector equals(std::vector<std::pair<std::string, std::string>> labels);
  [[nodiscard]] static Selector exists(std::vector<std::string> labels);
  // "app=web,tier in (a,b),!old": kubectl's syntax. A literal is checked by the compiler: "app=web"_selector.
  [[nodiscard]] static Result<Selector> parse(std::string_view text);

  [[nodiscard]] bool matches(const Object& object) const;
  [[nodiscard]] std::string text() const;  // for labelSelector=
  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }
  bool operator==(const Selector&) const = default;

 private:
  std::vector<Requirement> requirements_;
};

namespace detail {

constexpr std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

constexpr bool is_label_value(std::string_view text) {
  return text.empty() || (text.find('/') == std::string_view::npos && is_qualified_name(text));
}

// "app=web", "app!=web", "tier in (a,b)", "app", "!app".
constexpr bool is_requirement(std::string_view text) {
  text = without_spaces(text);
  if (text.starts_with('!')) return is_qualified_name(without_spaces(text.substr(1)));
  if (text.ends_with(')')) {
    const auto open = text.find('(');
    if (open == std::string_view::npos) return false;
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

// "app=web,tier in (a,b)"_selector
template <detail::FixedText kText>
[[nodiscard]] Selector operator""_selector() {
  static_assert(detail::is_selector(kText.text),
                "this is not a label selector: write \"app=web\", \"app!=web\", \"tier in (a,b)\", \"tier notin (a)\", "
                "\"app\" or \"!app\", with commas between them");
  return Selector::parse(kText.text).value();
}

}  // namespace literals

}  // namespace keelson::kube

namespace keelson {
using namespace kube::literals;
}  // namespace keelson
