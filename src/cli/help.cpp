#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/command_line.hpp"

namespace keelson::cli {

namespace {

std::string spelling(const Flag& flag) {
  return "--" + std::string(flag.name) + (flag.value.empty() ? "" : " " + std::string(flag.value));
}

Result<Words> parse_for(const Command& command, const std::vector<std::string>& words) {
  auto parsed = parse(words, command.flags, Form::kCommand);
  if (!parsed || parsed->wants_help) return parsed;
  if (command.arguments.empty() && !parsed->arguments.empty()) return unexpected_argument(parsed->arguments.front());
  for (const auto& flag : command.flags) {
    if (flag.is_required && !parsed->given(flag.name)) return invalid_error(spelling(flag) + " is missing");
  }
  return parsed;
}

}  // namespace

std::string help_entry(std::string_view name, std::string_view help) {
  // Four spaces before the tab align the text for tab stops of four and of eight.
  std::string text = "  " + std::string(name);
  if (!help.empty()) text += "\n    \t";
  for (const char c : help) text += c == '\n' ? std::string("\n    \t") : std::string(1, c);
  return text + "\n";
}

std::string help_entries(std::span<const Flag> flags) {
  std::string text;
  for (const auto& flag : flags) text += help_entry(spelling(flag), flag.help);
  return text;
}

std::string synopsis(const Command& command) {
  std::string text(command.name);
  if (!command.arguments.empty()) text.append(" ").append(command.arguments);
  for (const auto& flag : command.flags) text += flag.is_required ? " " + spelling(flag) : " [" + spelling(flag) + "]";
  return text;
}

std::string usage(std::string_view program, const Command& command) {
  auto text = "Usage: " + std::string(program);
  for (const auto part : {command.name, command.arguments}) {
    if (!part.empty()) text.append(" ").append(part);
  }
  if (!command.flags.empty()) text += " [flags]";
  text.append("\n\n").append(command.details.empty() ? command.help : command.details).append("\n");
  return command.flags.empty() ? text : text + "\nFlags:\n" + help_entries(command.flags);
}

int reject(const Console& console, std::string_view command, const Error& error) {
  console.errors << base::for_terminal(error.message()) << "\nRun '" << console.program << (command.empty() ? "" : " ")
                 << command << " --help' for usage.\n";
  return kUsageError;
}

int run_command(const Console& console, const Command& command, const std::vector<std::string>& words,
                const std::function<Result<int>(const Words&)>& work) {
  const auto parsed = parse_for(command, words);
  if (parsed && parsed->wants_help) {
    console.out << usage(console.program, command);
    return EXIT_SUCCESS;
  }
  const auto code = parsed ? work(*parsed) : Result<int>(parsed.error());
  return code ? *code : reject(console, command.name, code.error());
}

int check_output(std::ostream& out, std::ostream& errors, int status) {
  errno = 0;
  out.flush();
  if (out) return status;
  // If an earlier write failed, its reason is lost.
  errors << "write to standard output failed";
  if (errno != 0) errors << ": " << std::generic_category().message(errno);
  errors << "\n";
  return EXIT_FAILURE;
}

std::vector<std::string> words_of(int argc, char** argv) { return {argv + std::min(argc, 1), argv + argc}; }

std::string program_name(int argc, char** argv, std::string_view otherwise) {
  return argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string(otherwise);
}

}  // namespace keelson::cli
