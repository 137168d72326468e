#include "keelson/program/operator.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/program/flags.hpp"
#include "keelson/detail/program/process.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "src/program/commands/commands.hpp"
#include "src/program/run_with.hpp"
#include "src/program/services.hpp"

namespace keelson {

namespace {

// Go prints the whole usage here, which is longer than a screen and would hide the error.
int reject(const std::string& program, const Error& error) {
  return cli::reject({program, std::cout, std::cerr}, "", error);
}

int run_manager(const program::ProgramParts& parts, const std::vector<std::string>& arguments) {
  auto flags = program::parse_flags(arguments, program::process_variable, parts.syntax);
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
  const auto chosen = program::select_controllers(flags->options.controllers, parts.controllers);
  if (!chosen) return reject(parts.program, chosen.error());
  auto sink = make_adjustable_sink(flags->options.log);
  for (const auto& notice : program::compatibility_notices(flags->options)) Logger(*sink).named("setup").info(notice);
  return program::run_program({parts.program, parts.syntax, *chosen, parts.additions}, *flags, *sink);
}

}  // namespace

int program::run_with(const std::string& name, int argc, char** argv, std::vector<controller::Definition> controllers,
                      const Additions& additions) {
  prepare_process();
  auto program = cli::program_name(argc, argv, "manager");
  const auto arguments = cli::words_of(argc, argv);
  try {
    auto syntax = syntax_of(kube::OperatorName(name), controllers);
    syntax.flags.insert(syntax.flags.end(), additions.flags.begin(), additions.flags.end());
    syntax.commands = additions.commands;
    check_syntax(syntax);
    controller::check_definitions(controllers);
    check_additions(additions);
    webhook::check_webhooks(controller::webhooks_of(controllers, additions.webhooks));
    for (const auto& definition : controllers) {
      for (const auto& kind : definition.parts().kinds) kube::check_kind(kind);
    }
    const ProgramParts parts{std::move(program), syntax, controllers, additions};
    const auto status = run_command(parts, arguments, std::cout, std::cerr);
    return cli::check_output(std::cout, std::cerr, status ? *status : run_manager(parts, arguments));
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
