#include "keelson/plan/plan.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/completion.hpp"
#include "keelson/detail/program/process.hpp"
#include "keelson/program/api_session.hpp"
#include "src/plan/command_line.hpp"
#include "src/plan/make_plan.hpp"
#include "src/plan/report.hpp"

namespace keelson {

namespace {

using plan::CommandLine;
using plan::LiveCopy;
using Definitions = std::vector<controller::Definition>;

constexpr int kSomeWrites = 2;

std::map<std::string, std::string> whole_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

// A copy of the live cluster, and the time at which it was read.
struct Copied {
  std::unique_ptr<LiveCopy> copy;
  async::WallTime read_at;
};

Task<void> read_cluster(program::ApiSession& session, plan::CopyOptions options, Copied& copied) {
  KEELSON_CO_LET(copied.copy, co_await LiveCopy::make(session.client(), std::move(options)));
  copied.read_at = session.clock().wall_now();
  co_return Result<void>();
}

Result<Copied> copy_cluster(const std::string& program, const CommandLine& line, const Definitions& controllers,
                            LogSink& sink) {
  KEELSON_LET(auto session,
              program::ApiSession::connect({.program = program, .kubeconfig = line.options.kubeconfig}, sink));
  Copied copied;
  plan::CopyOptions options{controllers, line.options.watch_namespaces};
  KEELSON_TRY(session->run([&] { return read_cluster(*session, std::move(options), copied); }));
  return copied;
}

int fail(const std::string& program, const Error& error) {
  std::cerr << program << ": " << base::for_terminal(error.message()) << "\n";
  return EXIT_FAILURE;
}

int complete(const std::string& program, const std::vector<std::string>& words, const program::Syntax& syntax) {
  const auto code = cli::completion_command({program, std::cout, std::cerr}, words, plan::used_flags(syntax),
                                            std::span(&cli::kCompletionCommand, 1));
  return cli::check_output(std::cout, std::cerr, code == EXIT_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE);
}

int print_plan(const std::string& program, const CommandLine& line, const kube::OperatorName& name,
               Definitions controllers) {
  auto chosen = program::select_controllers(line.options.controllers, std::move(controllers));
  if (!chosen) return fail(program, chosen.error());
  const auto sink = make_stderr_sink(line.options.log);
  auto copied = copy_cluster(program, line, *chosen, *sink);
  if (!copied) return fail(program, copied.error());
  for (const auto& note : copied->copy->notes()) std::cerr << program << ": " << base::for_terminal(note) << "\n";
  auto made = plan::make_plan(*copied->copy,
                              {std::move(*chosen), whole_environment(), line.options.own_flags, copied->read_at, name});
  if (!made) return fail(program, made.error());
  line.format == plan::Format::kJson ? print_json(*made, std::cout) : print_text(*made, std::cout);
  if (!made->errors.empty()) return EXIT_FAILURE;
  return made->writes.empty() && made->events.empty() ? EXIT_SUCCESS : kSomeWrites;
}

}  // namespace

int run_plan(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers) {
  return run_plan(std::move(name), {}, argc, argv, std::move(controllers));
}

int run_plan(std::string name, program::OperatorVersion version, int argc, char** argv,
             std::vector<controller::Definition> controllers) {
  program::prepare_process();
  const auto program = cli::program_name(argc, argv, "plan");
  try {
    const auto syntax = program::syntax_of(kube::OperatorName(std::move(name)), controllers);
    program::check_syntax(syntax);
    const auto words = cli::words_of(argc, argv);
    if (!words.empty() && words.front() == cli::kCompletionCommand.name) {
      return complete(program, {words.begin() + 1, words.end()}, syntax);
    }
    auto line = plan::parse_command_line(program, words, program::process_variable, syntax, version);
    if (!line) {
      cli::reject({program, std::cout, std::cerr}, "", line.error());
      return EXIT_FAILURE;  // 2 means that something would be written
    }
    int status = EXIT_SUCCESS;
    if (line->answer) {
      std::cout << *line->answer;
    } else {
      status = print_plan(program, *line, syntax.name, std::move(controllers));
    }
    return cli::check_output(std::cout, std::cerr, status);
  } catch (const std::exception& mistake) {
    std::cerr << program << ": " << mistake.what() << "\n";
    return EXIT_FAILURE;
  }
}

}  // namespace keelson
