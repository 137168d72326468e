#include "src/plan/command_line.hpp"

#include <string_view>

#include "keelson/base/go_text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/program/version.hpp"

namespace keelson::plan {

namespace {

// The name of a flag, and its value after `=`.
struct FlagWord {
  std::string_view name;
  std::optional<std::string_view> value;
};

FlagWord flag_word(std::string_view word) {
  if (!word.starts_with("-")) return {};
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

Result<Format> format_of(std::string_view text) {
  if (text == "text") return Format::kText;
  if (text == "json") return Format::kJson;
  return invalid_error("invalid value " + base::quote_go(text) + " for flag -output: must be text or json");
}

std::string usage(const std::string& program, const program::Syntax& syntax) {
  std::string text = "Usage: " + program + R"( [flags]

Prints what the controllers of this version would write to a cluster. Only reads from the cluster.
Exit code: 0 if nothing would be written, 2 if something would, 1 if there is no plan or a controller fails.

These flags have an effect; the other flags of the manager are accepted and ignored:
  --kubeconfig FILE          the cluster; otherwise KUBECONFIG, the pod's service account, ~/.kube/config
  --controllers LIST         which controllers run: "*" (all), names, or -name for all but that one
  --watch-namespaces LIST    the namespaces that they watch; otherwise all
  -o, --output text|json     the format of the plan (default text)
)";
  for (const auto& flag : syntax.flags) {
    text += "  --" + flag.name + " " + std::string(controller::flag_type_name(flag.zero)) + "    " + flag.help + "\n";
  }
  return text;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::string& program, const std::vector<std::string>& arguments,
                                       const program::Environment& environment, const program::Syntax& syntax) {
  CommandLine line;
  std::vector<std::string> of_manager;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto flag = flag_word(arguments[i]);
    if (flag.name != "output" && flag.name != "o") {
      of_manager.push_back(arguments[i]);
      continue;
    }
    if (!flag.value) {
      if (++i == arguments.size()) return invalid_error("flag needs an argument: -output");
      flag.value = arguments[i];
    }
    auto format = format_of(*flag.value);
    if (!format) return std::move(format.error());
    line.format = *format;
  }
  KEELSON_LET(auto flags, program::parse_flags(of_manager, environment, syntax));
  if (flags.help) line.answer = usage(program, syntax);
  if (flags.version) line.answer = program::version_text();
  if (!line.answer && !flags.rest.empty()) return invalid_error("unexpected argument: " + flags.rest.front());
  line.options = std::move(flags.options);
  return line;
}

}  // namespace keelson::plan
