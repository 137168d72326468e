#include "src/program/flags/config_file.hpp"

#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/json/value.hpp"

namespace keelson::program {

namespace {

constexpr std::string_view kConfig = "config";

// The YAML parser does not report lines. A key of the top level is at the beginning of its line, quoted or not.
std::optional<std::size_t> line_of(std::string_view text, std::string_view key) {
  const auto begins_with_key = [&](std::string_view line) {
    const char quote = line.empty() ? '\0' : line.front();
    const bool is_quoted = quote == '"' || quote == '\'';
    if (is_quoted) line.remove_prefix(1);
    if (!line.starts_with(key)) return false;
    line.remove_prefix(key.size());
    if (is_quoted && !line.starts_with(quote)) return false;
    if (is_quoted) line.remove_prefix(1);
    const auto colon = line.find_first_not_of(' ');
    return colon != std::string_view::npos && line[colon] == ':';
  };
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    if (begins_with_key(text.substr(0, end))) return number;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

Error at_line(std::string_view text, std::string_view key, const Error& error) {
  const auto line = line_of(text, key);
  return invalid_error((line ? "line " + std::to_string(*line) + ": " : "") + error.text);
}

Error unknown_key(std::string_view key, const std::vector<Flag>& table) {
  std::vector<std::string_view> names;
  for (const auto& flag : table) {
    if (flag.name != kConfig) names.push_back(flag.name);
  }
  return invalid_error("unknown flag " + base::quote_go(key) + cli::suggestion(key, names));
}

struct Expected {
  std::string_view what;
  std::string_view example;
};

Expected expected_by(const Flag& flag) {
  switch (flag.type) {
    case FlagType::kBool:
      return {"true or false", "true"};
    case FlagType::kInt:
      return {"an integer", "1"};
    case FlagType::kDuration:
      return {"a duration as a string", "30s"};
    case FlagType::kList:
      return {"a list of strings", "[a, b]"};
    case FlagType::kString:
      if (flag.commas == Commas::kSeparate) return {"a string or a list of strings", "[a, b]"};
      return {"a string", "\"a\""};
    case FlagType::kValue:
      break;
  }
  return {"a string", "\"a\""};
}

Error wrong_type(const Flag& flag, json::View value) {
  const auto [what, example] = expected_by(flag);
  const std::string name(flag.name);
  return invalid_error(name + " needs " + std::string(what) + ", not " + value.text() + ": write `" + name + ": " +
                       std::string(example) + "`");
}

// The list as on the command line, with commas; nullopt if an item is not a string or contains a comma.
std::optional<std::string> joined(json::View list) {
  std::string text;
  for (json::View item : list.items()) {
    const auto part = item.string();
    if (!part || part->empty() || part->find(',') != std::string_view::npos) return std::nullopt;
    text += (text.empty() ? "" : ",") + std::string(*part);
  }
  return text;
}

bool has_type(const Flag& flag, json::View value) {
  switch (flag.type) {
    case FlagType::kBool:
      return value.boolean().has_value();
    case FlagType::kInt:
      return value.integer().has_value();
    case FlagType::kDuration:
      // Go's 0 needs no unit.
      return value.string() || value.integer() == 0;
    case FlagType::kList:
      return false;
    case FlagType::kString:
    case FlagType::kValue:
      break;
  }
  // A number is valid too: `metrics-bind-address: 0` disables the server.
  return value.string() || value.number();
}

// The value as on the command line; nullopt if it does not have the type of the flag.
std::optional<std::string> config_value_text(const Flag& flag, json::View value) {
  const bool may_be_list = flag.type == FlagType::kList || flag.commas == Commas::kSeparate;
  if (may_be_list && value.is_array()) return joined(value);
  if (!has_type(flag, value)) return std::nullopt;
  const auto text = value.string();
  return text ? std::string(*text) : value.text();
}

Result<void> apply_value(const Flag* flag, std::string_view key, json::View value, const std::vector<Flag>& table,
                         FlagDraft& draft) {
  if (key == kConfig) return invalid_error("config cannot be in the file itself: remove the line");
  if (flag == nullptr) return unknown_key(key, table);
  const auto text = config_value_text(*flag, value);
  if (!text) return wrong_type(*flag, value);
  return set_flag(*flag, *text, draft);
}

}  // namespace

Result<void> apply_config_file(const std::string& path, const ReadFile& read_file, const std::vector<Flag>& table,
                               FlagDraft& draft) {
  KEELSON_LET(const auto text, read_file(path));
  const auto json = json::yaml_to_json(text);
  if (!json) return json.error();
  KEELSON_LET(const auto document, json::Document::parse(*json));
  if (document.root().is_null()) return {};
  if (!document.root().is_object()) {
    return invalid_error("the file must map names of flags to values, for example `leader-elect: true`");
  }
  for (const auto& [key, value] : document.root().members()) {
    auto applied = apply_value(find_flag(table, key), key, value, table, draft);
    if (!applied) return at_line(text, key, applied.error());
  }
  return {};
}

Result<std::string> read_config_file(const std::string& path) {
  KEELSON_LET(auto text, kube::process_environment().read_file(path));
  if (!text) return invalid_error("the file does not exist");
  if ((text)->size() > limits::kConfigFileBytes) {
    return invalid_error("the file is larger than " + std::to_string(limits::kConfigFileBytes) + " bytes");
  }
  return std::move(*text);
}

}  // namespace keelson::program
