#include "src/sandbox/validation/rule_table.hpp"

#include <algorithm>
#include <array>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// The build writes the rules as one line.
constexpr char kLineEnd = '\x01';

// The words of a line, those in quotes with a leading quote; a semicolon before a space is a word.
std::vector<std::string> rule_words(std::string_view line) {
  std::vector<std::string> words;
  const auto is_separator = [line](std::size_t at) { return line[at] == ';' && line.substr(at + 1, 1) == " "; };
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    std::string word;
    if (line[at] == '"') {
      word = '"';
      for (++at; line.at(at) != '"'; ++at) word += line.at(at) == '\\' ? line.at(++at) : line.at(at);
      ++at;
    } else if (is_separator(at)) {
      word = line[at++];
    } else {
      while (at < line.size() && line[at] != ' ' && !is_separator(at)) word += line[at++];
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::vector<RuleStep> rule_steps(std::string_view path) {
  std::vector<RuleStep> steps;
  if (path == ".") return steps;
  for (auto part : parts_of(path, '.')) {
    std::vector<RuleStep> inner;
    for (; part.ends_with("[]") || part.ends_with("{}"); part.remove_suffix(2)) {
      inner.push_back({part.back() == ']' ? RuleStep::Kind::kItems : RuleStep::Kind::kMembers, {}});
    }
    if (!part.empty()) steps.push_back({RuleStep::Kind::kField, std::string(part)});
    steps.insert(steps.end(), inner.rbegin(), inner.rend());
  }
  return steps;
}

RuleCondition condition_of(std::string_view text) {
  RuleCondition condition;
  if (text.starts_with('!')) {
    condition.is_negated = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('#')) {
    condition.is_count = true;
    text.remove_prefix(1);
  }
  static constexpr auto kOperators = std::to_array<std::string_view>({"!=", "^=", "*=", "<>", "=", "<", ">", "?"});
  for (auto op : kOperators) {
    // A leading ^ is part of the path.
    const auto at = text.find(op, 1);
    if (at == std::string_view::npos) continue;
    condition.left = text.substr(0, at);
    condition.op = op;
    condition.right = text.substr(at + op.size());
    return condition;
  }
  condition.left = text;
  return condition;
}

void read_fields(const std::vector<std::string>& words, RuleLine& line) {
  std::size_t at = 0;
  std::string_view path = words[at++];
  const bool is_renamed = at < words.size() && words[at] == "as";
  if (is_renamed) {
    line.renamed = words.at(at + 1);
    at += 2;
    KEELSON_ASSERT(line.renamed.ends_with(':'));
    line.renamed.pop_back();
  } else {
    KEELSON_ASSERT(path.ends_with(':'));
    path.remove_suffix(1);
  }
  line.only_present = path.ends_with('?');
  if (line.only_present) path.remove_suffix(1);
  line.path = rule_steps(path);
  for (bool is_first = true; at < words.size(); ++at) {
    if (words[at] == ";") {
      is_first = true;
    } else if (is_first) {
      RuleStatement statement{.word = words[at], .words = {}};
      statement.takes_zero = statement.word.ends_with('!');
      if (statement.takes_zero) statement.word.pop_back();
      line.statements.push_back(std::move(statement));
      is_first = false;
    } else {
      line.statements.back().words.push_back(words[at]);
    }
  }
}

RuleLine rule_line(std::string_view text) {
  RuleLine line;
  const auto words = rule_words(text);
  if (words[0] == "if" || words[0] == "else") {
    line.kind = words[0] == "if" ? RuleLine::Kind::kIf : RuleLine::Kind::kElse;
    for (std::size_t i = 1; i < words.size(); ++i) line.conditions.push_back(condition_of(words[i]));
  } else if (words[0] == "choose") {
    line.kind = RuleLine::Kind::kChoose;
    line.statements.push_back({.word = words[0], .words = {words.begin() + 1, words.end()}});
  } else {
    read_fields(words, line);
  }
  return line;
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

struct RuleTable {
  base::TextMap<std::string, std::vector<RuleLine>> blocks;
  base::TextMap<std::string, RuleFormat> formats;
};

std::vector<RuleLine> read_rule_block(const std::vector<std::string_view>& lines, std::size_t& at, std::size_t indent) {
  std::vector<RuleLine> block;
  while (at < lines.size() && indent_of(lines[at]) == indent) {
    block.push_back(rule_line(lines[at++]));
    if (at < lines.size() && indent_of(lines[at]) > indent) {
      block.back().block = read_rule_block(lines, at, indent + 2);
    }
  }
  return block;
}

RuleTable read_rule_table() {
  RuleTable table;
  const auto* data = find_definition("validation.rules");
  KEELSON_ASSERT(data != nullptr);
  std::vector<std::string_view> lines;
  for (const auto line : parts_of(data->json, kLineEnd)) {
    const auto start = indent_of(line);
    if (start < line.size() && line[start] != '#') lines.push_back(line);
  }
  for (std::size_t at = 0; at < lines.size();) {
    const auto words = rule_words(lines[at++]);
    if (words[0] == "format") {
      const auto bytes = base::parse_number<std::size_t>(words.at(1 + 1));
      table.formats[words[1]] = {bytes.value_or(0), words.at(3), words.at(4).substr(1)};
    } else {
      table.blocks[words.at(0) + " " + words.at(1)] = read_rule_block(lines, at, 2);
    }
  }
  return table;
}

const RuleTable& rule_table() {
  static const RuleTable table = read_rule_table();
  return table;
}

}  // namespace

const std::vector<RuleLine>* rule_block(std::string_view what, std::string_view name) {
  const auto found = rule_table().blocks.find(std::string(what) + " " + std::string(name));
  return found == rule_table().blocks.end() ? nullptr : &found->second;
}

const RuleFormat* rule_format(std::string_view name) {
  const auto found = rule_table().formats.find(name);
  return found == rule_table().formats.end() ? nullptr : &found->second;
}

}  // namespace keelson::sandbox
