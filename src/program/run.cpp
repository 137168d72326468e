#include "keelson/program/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <string>

#include "keelson/base/misuse.hpp"
#include "keelson/kube/crd.hpp"
#include "keelson/program/flags.hpp"
#include "keelson/program/process.hpp"
#include "keelson/program/version.hpp"
#include "keelson/program/version_command.hpp"
#include "src/program/commands.hpp"
#include "src/program/generate.hpp"
#include "src/program/operator.hpp"
#include "src/program/schedule_command.hpp"

namespace keelson {

namespace {

using Flags = std::vector<controller::NumberFlag>;

Flags flags_of(const std::vector<controller::Definition>& controllers) {
  Flags flags;
  for (const auto& definition : controllers) {
    flags.insert(flags.end(), definition.numbers().begin(), definition.numbers().end());
  }
  return flags;
}

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Go prints the whole usage here. It is longer than a screen and would push the error out of sight.
int refuse(const std::string& program, const Error& error) {
  std::cerr << error.message() << "\nRun '" << program << " --help' for usage.\n";
  return program::kUsageError;
}

// Those that --controllers chose; the error names the known ones.
Result<std::vector<controller::Definition>> choose(const program::Options& options,
                                                   std::vector<controller::Definition> controllers) {
  std::vector<std::string> known;
  for (const auto& definition : controllers) known.push_back(definition.name());
  auto names = program::select_controllers(options.controllers, known);
  if (!names) return std::move(names.error());
  std::vector<controller::Definition> chosen;
  for (auto& definition : controllers) {
    if (std::find(names->begin(), names->end(), definition.name()) != names->end()) {
      chosen.push_back(std::move(definition));
    }
  }
  return chosen;
}

int run_manager(const std::string& program, const std::vector<std::string>& arguments,
                std::vector<controller::Definition> controllers) {
  const auto own = flags_of(controllers);
  auto flags = program::parse_flags(arguments, environment, own);
  if (!flags) return refuse(program, flags.error());
  if (flags->help) {
    std::cout << program::usage(program, own);
    return EXIT_SUCCESS;
  }
  if (flags->version) {
    std::cout << program::version_text();
    return EXIT_SUCCESS;
  }
  if (!flags->rest.empty()) return refuse(program, program::unexpected_words(flags->rest));
  auto chosen = choose(flags->options, std::move(controllers));
  if (!chosen) return refuse(program, chosen.error());
  auto sink = make_stderr_sink(flags->options.log);
  for (const auto& notice : program::compatibility_notices(flags->options)) Logger(*sink).named("setup").info(notice);
  return program::run_operator(program, flags->options, *sink, *chosen);
}

int run_command(const std::string& program, const std::vector<std::string>& arguments,
                std::vector<controller::Definition> controllers) {
  auto first = arguments.empty() ? std::string() : arguments.front();
  if (first == "version") {
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    return program::version_command(program, rest, std::cout, std::cerr);
  }
  if (first == "help") {
    std::cout << program::usage(program, flags_of(controllers));
    return EXIT_SUCCESS;
  }
  if (first == "generate") {
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    return program::generate_command(rest, controllers, std::cout, std::cerr);
  }
  if (first == "schedule") {
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    const auto now = std::chrono::sys_seconds(std::chrono::seconds(std::time(nullptr)));
    return program::schedule_command(rest, now, std::cout, std::cerr);
  }
  return run_manager(program, arguments, std::move(controllers));
}

}  // namespace

int run(int argc, char** argv, std::vector<controller::Definition> controllers) {
  program::prepare_process();
  auto name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string("manager");
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  try {
    for (const auto& definition : controllers) {
      for (const auto& kind : definition.kinds()) kube::check_kind(kind);
    }
    auto status = run_command(name, arguments, std::move(controllers));
    return program::check_output(std::cout, std::cerr, status);
  } catch (const base::Misuse& mistake) {
    std::cerr << mistake.what() << "\n";
    return EXIT_FAILURE;
  }
}

}  // namespace keelson
