#include "keelson/detail/program/flags.hpp"

#include <algorithm>
#include <tuple>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "src/program/flags/config_file.hpp"
#include "src/program/flags/flag_table.hpp"
#include "src/program/flags/flag_values.hpp"

namespace keelson::program {

namespace {

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
    if (draft.options.leader_election_id.empty()) {
      return invalid_error("LeaderElectionID must be configured: give --leader-election-id");
    }
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

// Stores the values of the file of --config, and then those of the command line, which take precedence.
Result<FlagDraft> draft_of(const cli::Words& words, const std::vector<Flag>& table, const Syntax& syntax,
                           const ReadFile& read_file) {
  auto draft = default_draft(syntax.name);
  const auto path = words.flag("config");
  if (!path.empty()) {
    draft.source = zpages::FlagSource::kConfigFile;
    auto filled = apply_config_file(path, read_file, table, draft);
    if (!filled) return std::move(filled.error()).with_context("--config " + path);
    draft.source = zpages::FlagSource::kCommandLine;
  }
  for (const auto& [name, value] : words.flags) KEELSON_TRY(set_flag(*find_flag(table, name), value, draft));
  return draft;
}

std::vector<zpages::FlagState> states_of(const std::vector<Flag>& table, const FlagDraft& draft, const Syntax& syntax) {
  std::vector<zpages::FlagState> states;
  for (const auto& flag : table) {
    auto& state = states.emplace_back();
    state.name = flag.name;
    state.value = state.default_value = flag.default_text;
    state.is_own =
        std::ranges::any_of(syntax.flags, [&flag](const controller::Flag& own) { return own.name == flag.name; });
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
  if (!set) return cli::invalid_value(flag.name, value, set.error().text);
  draft.given.insert_or_assign(std::string(flag.name), std::pair(std::string(value), draft.source));
  return {};
}

Result<ParsedFlags> parse_flags(const std::vector<std::string>& arguments, const Environment& environment,
                                const Syntax& syntax, const ReadFile& read_file) {
  const auto table = flag_table(syntax);
  auto rows = rows_of(table);
  rows.insert(rows.begin(), syntax.further.begin(), syntax.further.end());
  KEELSON_LET(auto words, cli::parse(arguments, rows, cli::Form::kProgram));
  ParsedFlags parsed;
  parsed.help = words.wants_help;
  parsed.version = words.wants_version;
  if (parsed.help || parsed.version) return parsed;
  const auto further = std::ranges::stable_partition(words.flags, [&syntax](const cli::GivenFlag& given) {
    return std::ranges::find(syntax.further, given.name, &cli::Flag::name) == syntax.further.end();
  });
  parsed.further.assign(std::move_iterator(further.begin()), std::move_iterator(further.end()));
  words.flags.erase(further.begin(), further.end());
  KEELSON_LET(auto draft, draft_of(words, table, syntax, read_file));
  parsed.flags = states_of(table, draft, syntax);
  KEELSON_LET(parsed.options, resolve(std::move(draft), environment));
  set_resolved(parsed.flags, parsed.options);
  parsed.rest = std::move(words.arguments);
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
