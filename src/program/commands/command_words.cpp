#include "keelson/program/command_words.hpp"

#include <algorithm>

#include "keelson/base/go_text.hpp"
#include "keelson/base/nearest.hpp"
#include "keelson/base/try.hpp"
#include "src/program/flags/flag_values.hpp"

namespace keelson::program {

namespace {

Result<const CommandFlag*> find_command_flag(std::span<const CommandFlag> known, std::string_view name) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& flag) { return flag.name == name; });
  if (found != known.end()) return &*found;
  std::vector<std::string_view> names;
  for (const auto& flag : known) names.push_back(flag.name);
  auto text = "flag provided but not defined: -" + std::string(name);
  if (const auto meant = base::nearest(name, names)) text += "\ndid you mean --" + std::string(*meant) + "?";
  return invalid_error(std::move(text));
}

Result<std::string> parse_command_bool(std::string_view name, std::string_view value) {
  const auto parsed = parse_bool_flag(value);
  if (parsed) return std::string(*parsed ? "true" : "false");
  return invalid_error("invalid boolean value " + base::quote_go(value) + " for -" + std::string(name) + ": " +
                       parsed.error().text);
}

}  // namespace

std::string CommandWords::flag(std::string_view name, std::string_view otherwise) const {
  const auto found = flags.find(name);
  return found == flags.end() ? std::string(otherwise) : found->second;
}

Result<CommandWords> parse_command_words(const std::vector<std::string>& words, std::span<const CommandFlag> known) {
  CommandWords parsed;
  for (std::size_t next = 0; next < words.size(); ++next) {
    const std::string_view word = words[next];
    if (word == "--") {
      parsed.arguments.insert(parsed.arguments.end(), words.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                              words.end());
      break;
    }
    if (word.size() < 2 || word.front() != '-') {
      parsed.arguments.push_back(words[next]);
      continue;
    }
    const auto text = word.substr(word.starts_with("--") ? 2 : 1);
    const auto name = text.substr(0, text.find('='));
    KEELSON_LET(const auto* flag, find_command_flag(known, name));
    const bool has_value = name.size() < text.size();
    std::string value(has_value ? text.substr(name.size() + 1) : "");
    if (flag->type == CommandFlag::Type::kBool) {
      KEELSON_LET(value, parse_command_bool(name, has_value ? value : "true"));
    } else if (!has_value) {
      if (++next == words.size()) return invalid_error("flag needs an argument: -" + std::string(name));
      value = words[next];
    }
    parsed.flags[std::string(name)] = std::move(value);
  }
  return parsed;
}

Result<bool> wants_json(const CommandWords& words) {
  const auto output = words.flag("output", "text");
  if (output == "json") return true;
  if (output == "text") return false;
  return invalid_error("invalid value " + base::quote_go(output) + " for flag -output: must be text or json");
}

}  // namespace keelson::program
