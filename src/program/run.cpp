#include "keelson/program/run.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "keelson/base/misuse.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/controller/webhook_configurations.hpp"
#include "keelson/program/flags.hpp"
#include "keelson/program/process.hpp"
#include "keelson/program/version.hpp"
#include "keelson/program/version_command.hpp"
#include "keelson/schema/crd.hpp"
#include "src/program/commands/commands.hpp"
#include "src/program/commands/doctor_command.hpp"
#include "src/program/commands/explain_command.hpp"
#include "src/program/commands/generate.hpp"
#include "src/program/commands/install_command.hpp"
#include "src/program/commands/support_bundle_command.hpp"
#include "src/program/run_with.hpp"
#include "src/program/services.hpp"

namespace keelson {

namespace {

// The parts of the program, after its declarations have been checked.
struct Parts {
  std::string program;  // the binary's own name
  std::vector<controller::Definition> controllers;
  const program::Additions& additions;
  program::Syntax syntax;
};

program::Syntax syntax_of(kube::OperatorName name, const std::vector<controller::Definition>& controllers,
                          const program::Additions& additions) {
  program::Syntax syntax{std::move(name), {}, additions.commands};
  for (const auto& definition : controllers) {
    syntax.flags.insert(syntax.flags.end(), definition.flags().begin(), definition.flags().end());
  }
  syntax.flags.insert(syntax.flags.end(), additions.flags.begin(), additions.flags.end());
  return syntax;
}

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Go prints the whole usage here, which is longer than a screen and would hide the error.
int reject(const std::string& program, const Error& error) {
  std::cerr << base::for_terminal(error.message()) << "\nRun '" << program << " --help' for usage.\n";
  return program::kUsageError;
}

// The controllers that --controllers selects; the error names the known ones.
Result<std::vector<controller::Definition>> choose(const program::Options& options,
                                                   std::vector<controller::Definition> controllers) {
  // A program with webhooks only has no controllers to select.
  if (controllers.empty() && options.controllers == "*") return controllers;
  std::vector<std::string> known;
  for (const auto& definition : controllers) known.push_back(definition.name());
  KEELSON_LET(auto names, program::select_controllers(options.controllers, known));
  std::vector<controller::Definition> chosen;
  for (auto& definition : controllers) {
    if (std::find(names.begin(), names.end(), definition.name()) != names.end()) {
      chosen.push_back(std::move(definition));
    }
  }
  return chosen;
}

int run_manager(Parts parts, const std::vector<std::string>& arguments) {
  auto flags = program::parse_flags(arguments, environment, parts.syntax);
  if (!flags) return reject(parts.program, flags.error());
  if (flags->help) {
    std::cout << program::usage(parts.program, parts.syntax);
    return EXIT_SUCCESS;
  }
  if (flags->version) {
    std::cout << program::version_text(parts.syntax.name.text(), parts.additions.version);
    return EXIT_SUCCESS;
  }
  if (!flags->rest.empty()) return reject(parts.program, program::unexpected_words(flags->rest, parts.syntax));
  flags->options.own_flags = controller::with_defaults(parts.syntax.flags, std::move(flags->options.own_flags));
  auto chosen = choose(flags->options, std::move(parts.controllers));
  if (!chosen) return reject(parts.program, chosen.error());
  auto sink = make_adjustable_sink(flags->options.log);
  for (const auto& notice : program::compatibility_notices(flags->options)) Logger(*sink).named("setup").info(notice);
  return program::run_program({parts.program, parts.syntax.name, *chosen, parts.additions, flags->flags},
                              flags->options, *sink);
}

int run_command(Parts parts, const std::vector<std::string>& arguments) {
  auto first = arguments.empty() ? std::string() : arguments.front();
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (first == "version") {
    const auto text = program::version_text(parts.syntax.name.text(), parts.additions.version);
    return program::version_command(parts.program, text, rest, std::cout, std::cerr);
  }
  if (first == "explain") {
    return program::explain_command({parts.program, parts.syntax.name, parts.controllers}, rest, std::cout, std::cerr);
  }
  if (first == "generate") {
    return program::generate_command(
        parts.program, rest,
        {parts.controllers, parts.additions.webhooks, parts.syntax.name, parts.additions.permissions}, std::cout,
        std::cerr);
  }
  if (first == "install" || first == "uninstall") {
    const auto command = first == "install" ? program::install_command : program::uninstall_command;
    return command(parts.program, rest, parts.controllers, parts.syntax.name, std::cout, std::cerr);
  }
  if (first == "doctor") {
    return program::doctor_command({parts.program, parts.syntax, parts.controllers, parts.additions}, rest, std::cout,
                                   std::cerr);
  }
  if (first == "support-bundle") {
    return program::support_bundle_command({parts.program, parts.syntax, parts.controllers, parts.additions}, rest,
                                           std::cout, std::cerr);
  }
  if (first == "help") {
    std::cout << program::usage(parts.program, parts.syntax);
    return EXIT_SUCCESS;
  }
  for (const auto& command : parts.syntax.commands) {
    if (command.name == first) return command.run(rest, std::cout, std::cerr);
  }
  return run_manager(std::move(parts), arguments);
}

}  // namespace

int program::run_with(const std::string& name, int argc, char** argv, std::vector<controller::Definition> controllers,
                      const Additions& additions) {
  prepare_process();
  auto program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string("manager");
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  try {
    auto syntax = syntax_of(kube::OperatorName(name), controllers, additions);
    check_syntax(syntax);
    controller::check_definitions(controllers);
    check_additions(additions);
    webhook::check_webhooks(controller::webhooks_of(controllers, additions.webhooks));
    for (const auto& definition : controllers) {
      for (const auto& kind : definition.kinds()) kube::check_kind(kind);
    }
    auto status = run_command({std::move(program), std::move(controllers), additions, std::move(syntax)}, arguments);
    return check_output(std::cout, std::cerr, status);
  } catch (const base::Misuse& mistake) {
    std::cerr << mistake.what() << "\n";
    return EXIT_FAILURE;
  }
}

int run(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers) {
  return program::run_with(name, argc, argv, std::move(controllers), {});
}

int run(std::string name, program::OperatorVersion version, int argc, char** argv,
        std::vector<controller::Definition> controllers) {
  program::Additions additions;
  additions.version = std::move(version);
  return program::run_with(name, argc, argv, std::move(controllers), additions);
}

}  // namespace keelson
