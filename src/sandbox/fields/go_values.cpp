#include "src/sandbox/fields/go_values.hpp"

#include <algorithm>
#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::sandbox {

namespace {

// The part of the layout at which parsing stops, and the rest of the text there; nullopt if only a value is out of
// range.
std::optional<std::pair<std::string, std::string_view>> mismatch(std::string_view text) {
  for (const char* part : {"2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"}) {
    const std::string_view wanted = part;
    auto here = text.substr(0, wanted.size());
    bool fits = base::is_digit(wanted[0]) ? here.size() == wanted.size() &&
                                                std::ranges::all_of(here, [](char c) { return base::is_digit(c); })
                                          : here == wanted;
    if (!fits) return std::pair(std::string(wanted), text);
    text.remove_prefix(wanted.size());
  }
  if (text.size() > 1 && text[0] == '.' && base::is_digit(text[1])) {
    text.remove_prefix(std::min(text.find_first_not_of("0123456789", 1), text.size()));
  }
  if (text == "Z") return std::nullopt;
  const bool is_zone = text.size() == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':' &&
                       base::is_digit(text[1]) && base::is_digit(text[2]) && base::is_digit(text[4]) &&
                       base::is_digit(text[5]);
  if (is_zone) return std::nullopt;
  return std::pair(std::string("Z07:00"), text);
}

}  // namespace

namespace {

// json.Marshal escapes characters that are special in HTML.
std::string html_safe(std::string json) {
  if (json.find_first_of("<>&") == std::string::npos) return json;
  std::string safe;
  for (char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      safe += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string go_json(const Tree& value) {
  if (value.is_array()) {
    std::string text;
    for (const auto& item : value.items()) text += (text.empty() ? "" : ",") + go_json(item);
    return "[" + text + "]";
  }
  if (!value.is_object()) return html_safe(value.text());
  std::vector<const Tree::Members::value_type*> members;
  for (const auto& member : value.members()) members.push_back(&member);
  std::ranges::sort(members, [](const auto* a, const auto* b) { return a->first < b->first; });
  std::string text;
  for (const auto* member : members) {
    text += (text.empty() ? "" : ",") + html_safe(Tree(member->first).text()) + ":" + go_json(member->second);
  }
  return "{" + text + "}";
}

std::string go_kind(const Tree& value) {
  switch (value.type()) {
    case Tree::Type::kNull:
      return "null";
    case Tree::Type::kBool:
      return "bool";
    case Tree::Type::kNumber:
      return "number";
    case Tree::Type::kString:
      return "string";
    case Tree::Type::kArray:
      return "array";
    case Tree::Type::kObject:
    case Tree::Type::kRaw:
      break;
  }
  return "object";
}

std::string go_print(const Tree& value) {
  std::string text;
  if (value.is_array()) {
    for (const auto& item : value.items()) text += (text.empty() ? "" : " ") + go_print(item);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    std::vector<std::pair<std::string_view, const Tree*>> members;
    for (const auto& [name, member] : value.members()) members.emplace_back(name, &member);
    std::ranges::sort(members);
    for (const auto& [name, member] : members) {
      text += (text.empty() ? "" : " ") + std::string(name) + ":" + go_print(*member);
    }
    return "map[" + text + "]";
  }
  return value.is_null() ? "<nil>" : value.scalar();
}

std::optional<std::string> time_error(std::string_view text, bool is_micro) {
  if (kube::parse_time(text)) return std::nullopt;
  auto start = "parsing time " + base::quote_go(text);
  auto stop = mismatch(text);
  const bool has_month = text.size() > 6 && text.substr(5, 2) > "00" && text.substr(5, 2) <= "12";
  if (!stop) return start + (has_month ? ": day out of range" : ": month out of range");
  return start + " as \"2006-01-02T15:04:05" + (is_micro ? ".000000" : "") + "Z07:00\": cannot parse " +
         base::quote_go(stop->second) + " as " + base::quote_go(stop->first);
}

}  // namespace keelson::sandbox
