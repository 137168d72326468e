#include "keelson/plan/plan.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "keelson/async/task_group.hpp"
#include "keelson/base/misuse.hpp"
#include "keelson/base/try.hpp"
#include "keelson/kube/rest_client.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/program/process.hpp"
#include "keelson/program/version.hpp"
#include "src/plan/command_line.hpp"
#include "src/plan/make_plan.hpp"
#include "src/plan/report.hpp"

namespace keelson {
namespace asio = boost::asio;

namespace {

using plan::CommandLine;
using plan::LiveCopy;
using Definitions = std::vector<controller::Definition>;

constexpr int kSomeWrites = 2;

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::map<std::string, std::string> whole_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

// Reads the cluster on a loop of its own, which ends with the last read.
class Reader {
 public:
  Reader(const std::string& program, LogSink& sink)
      : program_(program), log_(sink), clock_(async::make_real_clock(loop_.get_executor())) {}

  Result<std::unique_ptr<LiveCopy>> read(const CommandLine& line, const Definitions& controllers) {
    auto config = kube::load_connection(line.options.kubeconfig, kube::process_environment());
    if (!config) return std::move(config.error()).with_context("unable to get kubeconfig");
    for (const auto& warning : config->warnings) log_.info(warning);
    kube::RestClientOptions options;
    options.user_agent = program::user_agent(program_);
    options.plugin = plugin_ = kube::make_plugin_credentials(loop_.get_executor(), *clock_, log_, *config);
    auto live = kube::make_rest_client(loop_.get_executor(), *clock_, random_, log_, registry_, std::move(*config),
                                       std::move(options));
    if (!live) return std::move(live.error()).with_context("unable to set up the connection to the API server");
    async::TaskGroup tasks(loop_.get_executor());
    tasks.spawn(copy(**live, {controllers, line.options.watch_namespaces}));
    while (!tasks.empty()) loop_.run_one();
    return std::move(*copied_);
  }

  [[nodiscard]] async::WallTime now() const { return clock_->wall_now(); }

 private:
  asio::awaitable<void> copy(kube::Client& live, plan::CopyOptions options) {
    copied_ = co_await LiveCopy::make(live, std::move(options));
    co_await kube::stop_plugin(plugin_);
  }

  asio::io_context loop_{1};
  const std::string& program_;
  Logger log_;
  std::unique_ptr<async::Clock> clock_;
  base::Random random_{base::seed_from_os()};
  metrics::Registry registry_;
  std::shared_ptr<kube::PluginCredentials> plugin_;
  std::optional<Result<std::unique_ptr<LiveCopy>>> copied_;
};

Result<Definitions> choose(const program::Options& options, Definitions controllers) {
  std::vector<std::string> known;
  for (const auto& definition : controllers) known.push_back(definition.name());
  KEELSON_LET(auto names, program::select_controllers(options.controllers, known));
  std::erase_if(controllers, [&](const controller::Definition& definition) {
    return std::find(names.begin(), names.end(), definition.name()) == names.end();
  });
  return controllers;
}

int fail(const std::string& program, const Error& error) {
  std::cerr << program << ": " << error.message() << "\n";
  return EXIT_FAILURE;
}

int print_plan(const std::string& program, const CommandLine& line, const kube::OperatorName& name,
               Definitions controllers) {
  auto chosen = choose(line.options, std::move(controllers));
  if (!chosen) return fail(program, chosen.error());
  const auto sink = make_stderr_sink(line.options.log);
  Reader reader(program, *sink);
  auto copy = reader.read(line, *chosen);
  if (!copy) return fail(program, copy.error());
  for (const auto& note : (*copy)->notes()) std::cerr << program << ": " << note << "\n";
  auto made =
      plan::make_plan(**copy, {std::move(*chosen), whole_environment(), line.options.own_flags, reader.now(), name});
  if (!made) return fail(program, made.error());
  line.format == plan::Format::kJson ? print_json(*made, std::cout) : print_text(*made, std::cout);
  if (!made->errors.empty()) return EXIT_FAILURE;
  return made->writes.empty() && made->events.empty() ? EXIT_SUCCESS : kSomeWrites;
}

}  // namespace

int run_plan(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers) {
  program::prepare_process();
  const auto program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string("plan");
  try {
    program::Syntax syntax{kube::OperatorName(std::move(name)), {}, {}};
    for (const auto& definition : controllers) {
      syntax.flags.insert(syntax.flags.end(), definition.flags().begin(), definition.flags().end());
    }
    program::check_syntax(syntax);
    auto line = plan::parse_command_line(program, {argv + std::min(argc, 1), argv + argc}, variable, syntax);
    if (!line) {
      std::cerr << line.error().message() << "\nRun '" << program << " --help' for usage.\n";
      return EXIT_FAILURE;
    }
    if (line->answer) {
      std::cout << *line->answer;
      return EXIT_SUCCESS;
    }
    const int status = print_plan(program, *line, syntax.name, std::move(controllers));
    std::cout.flush();
    if (std::cout) return status;
    std::cerr << program << ": failed to write the plan to standard output\n";
  } catch (const std::exception& mistake) {
    std::cerr << program << ": " << mistake.what() << "\n";
  }
  return EXIT_FAILURE;
}

}  // namespace keelson
