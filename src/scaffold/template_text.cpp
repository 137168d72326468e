#include "src/scaffold/template_text.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"
#include "src/scaffold/lines.hpp"

namespace keelson::scaffold {

namespace {

bool is_template_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

const std::string& value_of(std::string_view name, const TemplateValues& values) {
  const auto found = values.find(name);
  KEELSON_ASSERT(found != values.end());
  return found->second;
}

std::string fill_line(std::string_view line, const TemplateValues& values) {
  std::string out;
  while (!line.empty()) {
    const auto begin = line.find("{{");
    const auto end = begin == line.npos ? line.npos : line.find("}}", begin);
    if (end == line.npos) break;
    const auto name = line.substr(begin + 2, end - begin - 2);
    if (is_template_name(name)) {
      out += std::string(line.substr(0, begin)) + value_of(name, values);
      line.remove_prefix(end + 2);
    } else {
      // The second brace may begin a name: "{{{{name}}".
      out += line.substr(0, begin + 1);
      line.remove_prefix(begin + 1);
    }
  }
  return out + std::string(line);
}

// The mark '#', '^' or '/' of a line that begins or ends a section, and its name; 0 for other lines.
char section_mark(std::string_view line, std::string_view& name) {
  if (line.size() < 6 || !line.starts_with("{{") || !line.ends_with("}}")) return 0;
  name = line.substr(3, line.size() - 5);
  const char mark = line[2];
  return (mark == '#' || mark == '^' || mark == '/') && is_template_name(name) ? mark : '\0';
}

}  // namespace

std::string fill_template(std::string_view text, const TemplateValues& values) {
  std::string out;
  bool is_shown = true;
  for (const auto& line : split_lines(text)) {
    std::string_view name;
    const char mark = section_mark(line, name);
    if (mark == 0) {
      if (is_shown) out += fill_line(line, values) + "\n";
      continue;
    }
    const bool is_set = !value_of(name, values).empty();
    is_shown = mark == '/' || (mark == '#') == is_set;
  }
  return out;
}

}  // namespace keelson::scaffold
