#include "src/sandbox/tables/json_path.hpp"

#include <algorithm>
#include <optional>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox {

namespace {

using Found = std::vector<const Tree*>;

void add_members(const Tree& value, Found& found) {
  for (const auto& item : value.items()) found.push_back(&item);
  for (const auto& [name, member] : value.members()) found.push_back(&member);
}

Found named(const Found& from, std::string_view name) {
  Found found;
  for (const auto* value : from) {
    const Tree* member = value->find(name);
    if (name == "*") {
      add_members(*value, found);
    } else if (member != nullptr) {
      found.push_back(member);
    }
  }
  return found;
}

Found at_index(const Found& from, std::int64_t index) {
  Found found;
  for (const auto* value : from) {
    auto size = static_cast<std::int64_t>(value->items().size());
    auto at = index < 0 ? index + size : index;
    if (at >= 0 && at < size) found.push_back(&value->items()[static_cast<std::size_t>(at)]);
  }
  return found;
}

std::string_view unquoted(std::string_view text) {
  const bool is_quoted =
      text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// `?(@.type=="Ready")`, or `?(@.type)`, which means that the member exists.
struct Filter {
  std::string_view path;
  std::string_view comparison;
  std::string_view value;

  [[nodiscard]] bool accepts(const Tree& item) const {
    auto found = find_path(item, path);
    if (comparison.empty()) return !found.empty();
    if (found.empty()) return false;
    return (found[0]->scalar() == value) == (comparison == "==");
  }
};

std::optional<Filter> read_filter(std::string_view text) {
  if (!text.starts_with("?(") || !text.ends_with(")")) return std::nullopt;
  text = base::trim(text.substr(2, text.size() - 3));
  if (!text.starts_with("@")) return std::nullopt;
  text.remove_prefix(1);
  for (std::string_view comparison : {"==", "!="}) {
    auto at = text.find(comparison);
    if (at == std::string_view::npos) continue;
    return Filter{base::trim(text.substr(0, at)), comparison, unquoted(base::trim(text.substr(at + 2)))};
  }
  return Filter{text, "", ""};
}

// The text between brackets.
Found selected(const Found& from, std::string_view text) {
  text = base::trim(text);
  if (text == "*") return named(from, "*");
  if (auto filter = read_filter(text)) {
    Found found;
    for (const auto* value : from) {
      for (const auto& item : value->items()) {
        if (filter->accepts(item)) found.push_back(&item);
      }
    }
    return found;
  }
  if (unquoted(text) != text) return named(from, unquoted(text));
  const auto index = base::parse_number<std::int64_t>(text);
  return index ? at_index(from, *index) : Found();
}

// The bracket that closes the one at the start of `text`; brackets in quotes are skipped.
std::size_t closing_bracket(std::string_view text) {
  char quote = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[') {
      ++depth;
    } else if (c == ']' && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

// A name up to the next dot or bracket; `\.` is a dot in the name.
std::string take_name(std::string_view& text) {
  std::string name;
  std::size_t at = 0;
  while (at < text.size() && text[at] != '.' && text[at] != '[') {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    name += text[at++];
  }
  text.remove_prefix(at);
  return name;
}

}  // namespace

std::vector<const Tree*> find_path(const Tree& object, std::string_view path) {
  if (path.starts_with("{") && path.ends_with("}")) path = path.substr(1, path.size() - 2);
  Found found{&object};
  while (!path.empty() && !found.empty()) {
    if (path.front() == '[') {
      auto end = closing_bracket(path);
      if (end == std::string_view::npos) return {};
      found = selected(found, path.substr(1, end - 1));
      path.remove_prefix(end + 1);
      continue;
    }
    if (path.front() == '.' || path.front() == '$') path.remove_prefix(1);
    if (!path.empty() && path.front() != '[') found = named(found, take_name(path));
  }
  return found;
}

}  // namespace keelson::sandbox
