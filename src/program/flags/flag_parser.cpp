#include "keelson/program/flags.hpp"

#include <algorithm>
#include <tuple>

#include "keelson/base/go_text.hpp"
#include "keelson/base/nearest.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "src/program/flags/config_file.hpp"
#include "src/program/flags/flag_table.hpp"
#include "src/program/flags/flag_values.hpp"

namespace keelson::program {

namespace {

constexpr std::string_view kVersion = "version";

// The parts of "-name" or "--name", with or without "=value".
struct Argument {
  std::string_view name;
  std::optional<std::string_view> value;
};

// "-" alone and words without a dash are not flags.
bool is_flag(std::string_view argument) { return argument.size() >= 2 && argument[0] == '-'; }

Result<Argument> take_apart(std::string_view argument) {
  auto name = argument.substr(argument.starts_with("--") ? 2 : 1);
  if (name.empty() || name[0] == '-' || name[0] == '=') {
    return invalid_error("bad flag syntax: " + std::string(argument));
  }
  auto equals = name.find('=');
  if (equals == std::string_view::npos) return Argument{name, std::nullopt};
  return Argument{name.substr(0, equals), name.substr(equals + 1)};
}

Error unknown_flag(std::span<const Flag> table, std::string_view name) {
  std::vector<std::string_view> names{kVersion};
  for (const auto& flag : table) names.push_back(flag.name);
  auto text = "flag provided but not defined: -" + std::string(name);
  if (auto meant = base::nearest(name, names)) text += "\ndid you mean --" + std::string(*meant) + "?";
  return invalid_error(std::move(text));
}

// Applies the environment for flags that are not given, checks rules across flags, and sets the defaults that depend on
// --zap-devel.
Result<Options> resolve(FlagDraft draft, const Environment& environment) {
  auto watched = environment ? environment("WATCH_NAMESPACE") : std::nullopt;
  if (watched && !draft.watch_namespaces_given) {
    auto namespaces = parse_namespaces(*watched);
    if (!namespaces) {
      return invalid_error("invalid value " + base::quote_go(*watched) +
                           " of the environment variable WATCH_NAMESPACE: " + namespaces.error().text);
    }
    draft.options.watch_namespaces = std::move(*namespaces);
  }
  if (draft.options.leader_elect) {
    KEELSON_TRY(leader::validate(draft.options.leader_timing));
    if (draft.options.leader_election_id.empty())
      return invalid_error("LeaderElectionID must be configured: give --leader-election-id");
  }
  const auto& options = draft.options;
  const bool has_certificate_flag =
      options.webhook_self_signed || !options.webhook_cert_path.empty() || !options.webhook_client_ca.empty();
  if (!options.webhook_url.empty() && has_certificate_flag) {
    return invalid_error(
        "--webhook-url creates its own certificate: remove --webhook-self-signed, --webhook-cert-path and "
        "--webhook-client-ca");
  }
  auto& log = draft.options.log;
  // A dry run must report each difference, so equal messages are not sampled.
  log.development = draft.zap_devel || draft.options.dry_run;
  log.encoder =
      draft.zap_encoder.value_or(draft.zap_devel ? LogOptions::Encoder::kConsole : LogOptions::Encoder::kJson);
  log.verbosity = draft.zap_verbosity.value_or(draft.zap_devel ? 1 : 0);
  return std::move(draft.options);
}

// Stores the values in `draft`; the result has no options yet.
Result<ParsedFlags> read_arguments(const std::vector<std::string>& arguments, const std::vector<Flag>& table,
                                   FlagDraft& draft) {
  ParsedFlags parsed;
  std::size_t next = 0;
  while (next < arguments.size() && is_flag(arguments[next])) {
    const auto& argument = arguments[next++];
    if (argument == "--") break;
    KEELSON_LET(auto parts, take_apart(argument));
    const auto* flag = find_flag(table, parts.name);
    if (flag == nullptr && (parts.name == "help" || parts.name == "h")) {
      parsed.help = true;
      return parsed;
    }
    if (flag == nullptr && parts.name == kVersion) {
      parsed.version = true;
      return parsed;
    }
    if (flag == nullptr) return unknown_flag(table, parts.name);
    auto value = parts.value;
    if (!value && flag->type == FlagType::kBool) value = "true";
    if (!value && next < arguments.size()) value = arguments[next++];
    if (!value) return invalid_error("flag needs an argument: -" + std::string(flag->name));
    KEELSON_TRY(set_flag(*flag, *value, draft));
  }
  parsed.rest.assign(arguments.begin() + static_cast<std::ptrdiff_t>(next), arguments.end());
  return parsed;
}

std::vector<zpages::FlagState> states_of(const std::vector<Flag>& table, const FlagDraft& draft, const Syntax& syntax) {
  std::vector<zpages::FlagState> states;
  for (const auto& flag : table) {
    auto& state = states.emplace_back();
    state.name = flag.name;
    state.value = state.default_value = flag.default_text;
    state.is_own = std::any_of(syntax.flags.begin(), syntax.flags.end(),
                               [&flag](const controller::Flag& own) { return own.name == flag.name; });
    const auto given = draft.given.find(flag.name);
    if (given != draft.given.end()) std::tie(state.value, state.source) = given->second;
  }
  return states;
}

// The values that resolve() has decided.
void set_resolved(std::vector<zpages::FlagState>& states, const Options& options) {
  for (auto& state : states) {
    if (state.source != zpages::FlagSource::kDefault) continue;
    if (state.name == "watch-namespaces" && !options.watch_namespaces.empty()) {
      state.value = base::join(options.watch_namespaces, ",");
      state.source = zpages::FlagSource::kEnvironment;
    } else if (state.name == "zap-encoder") {
      state.value = options.log.encoder == LogOptions::Encoder::kConsole ? "console" : "json";
    } else if (state.name == "zap-log-level") {
      state.value = options.log.verbosity > 0 ? "debug" : "info";
    }
  }
}

}  // namespace

Result<void> set_flag(const Flag& flag, std::string_view value, FlagDraft& draft) {
  draft.name = flag.name;
  auto set = flag.set(draft, value);
  if (set) {
    draft.given.insert_or_assign(std::string(flag.name), std::pair(std::string(value), draft.source));
    return {};
  }
  bool is_bool = flag.type == FlagType::kBool;
  auto text = is_bool ? "invalid boolean value " + base::quote_go(value) + " for -"
                      : "invalid value " + base::quote_go(value) + " for flag -";
  return invalid_error(text + std::string(flag.name) + ": " + set.error().text);
}

Result<ParsedFlags> parse_flags(const std::vector<std::string>& arguments, const Environment& environment,
                                const Syntax& syntax, const ReadFile& read_file) {
  const auto table = flag_table(syntax);
  FlagDraft draft = default_draft(syntax.name);
  auto parsed = read_arguments(arguments, table, draft);
  if (!parsed || parsed->help || parsed->version) return parsed;
  if (!draft.options.config.empty()) {
    // The arguments take precedence over the file, so they are read again after it.
    const auto path = draft.options.config;
    draft = default_draft(syntax.name);
    draft.source = zpages::FlagSource::kConfigFile;
    auto filled = apply_config_file(path, read_file, table, draft);
    if (!filled) return std::move(filled.error()).with_context("--config " + path);
    draft.source = zpages::FlagSource::kCommandLine;
    parsed = read_arguments(arguments, table, draft);
    if (!parsed) return parsed;
  }
  auto states = states_of(table, draft, syntax);
  auto options = resolve(std::move(draft), environment);
  if (!options) return options.error();
  set_resolved(states, *options);
  parsed->flags = std::move(states);
  parsed->options = std::move(*options);
  return parsed;
}

std::vector<std::string> compatibility_notices(const Options& options) {
  std::vector<std::string> notices;
  if (options.enable_http2) notices.emplace_back("--enable-http2 has no effect: the servers use HTTP/1.1");
  if (options.stacktrace_level_given) {
    notices.emplace_back("--zap-stacktrace-level has no effect: errors have no stack traces");
  }
  return notices;
}

}  // namespace keelson::program
