// `keelson-sandbox`: the API server in one process, as a program.
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/async/run_until.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/program/process.hpp"
#include "keelson/detail/program/version_command.hpp"
#include "keelson/detail/sandbox_data/data_file.hpp"
#include "src/sandbox_program/command.hpp"
#include "src/sandbox_program/diff_command.hpp"
#include "src/sandbox_program/flags.hpp"
#include "src/sandbox_program/kubeconfig.hpp"
#include "src/sandbox_program/server.hpp"

namespace keelson::sandbox_program {
namespace asio = boost::asio;

namespace {

constexpr const char* kName = "keelson-sandbox";

int report(const std::string& text) {
  std::cerr << kName << ": " << base::for_terminal(text) << "\n";
  return EXIT_FAILURE;
}

LogOptions log_options() {
  LogOptions options;
  options.encoder = LogOptions::Encoder::kConsole;
  return options;
}

// The objects with the lifetime of the program.
class Program {
 public:
  Program(const CommandLine& line, const Inheritance& inherited)
      : line_(line),
        inherited_(inherited),
        sink_(make_stderr_sink(log_options())),
        clock_(async::make_real_clock(loop_.get_executor())),
        random_(base::seed_from_os()),
        tasks_(loop_.get_executor()) {}

  [[nodiscard]] int run() {
    bool is_run = line_.action == CommandLine::Action::kRun;
    // With SIGXFSZ ignored, a data file at the limit of `ulimit -f` is a failed write, not the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
    // Signals are handled before the program creates files that a signal could leave behind.
    if (is_run) {
      signals_.emplace(loop_.get_executor(),
                       std::initializer_list<int>{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2});
    } else {
      signals_.emplace(loop_.get_executor(), std::initializer_list<int>{SIGINT, SIGTERM, SIGHUP});
    }
    auto begun = begin();
    if (!begun) return report(begun.error().text);
    tasks_.spawn(finish(is_run ? run_command() : serve()));
    // The loop does not run until it has no work, because a bookmark or a controller's next pass may be days ahead.
    async::run_until(loop_, [this] { return tasks_.empty(); });
    return code_;
  }

 private:
  // Listens and writes the kubeconfig.
  [[nodiscard]] Result<void> begin() {
    KEELSON_LET(auto made, Server::make(loop_.get_executor(), *clock_, random_, Logger(*sink_), line_.settings));
    server_ = std::move(made);
    kubeconfig_ = line_.settings.kubeconfig_out;
    if (kubeconfig_.empty()) {
      KEELSON_LET(auto folder, PrivateFolder::make());
      folder_.emplace(std::move(folder));
      kubeconfig_ = folder_->path() + "/kubeconfig";
    }
    auto written = write_private_file(kubeconfig_, server_->kubeconfig());
    if (!written) return std::move(written).error().with_context("kubeconfig");
    server_->start();
    return {};
  }

  asio::awaitable<void> serve() {
    std::cout << kName << " is ready at " << server_->address() << ": export KUBECONFIG=" << kubeconfig_ << std::endl;
    co_await signals_->wait();
  }

  asio::awaitable<void> run_command() {
    auto started = Command::start(loop_.get_executor(), line_.words, kubeconfig_, inherited_);
    if (auto* cannot = std::get_if<CannotStart>(&started)) {
      report("cannot run " + cannot->why);
      code_ = cannot->code;
      co_return;
    }
    auto& command = *std::get<std::unique_ptr<Command>>(started);
    auto both = [this, &command](async::TaskGroup& group) -> asio::awaitable<void> {
      group.spawn(signals_->relay_to(command));
      code_ = co_await command.wait();
    };
    co_await async::with_task_group(both);
  }

  // From here on another signal ends the process immediately. The private folder is removed already.
  asio::awaitable<void> finish(asio::awaitable<void> work) {
    try {
      co_await std::move(work);
    } catch (const std::exception& exception) {
      code_ = report("internal error: " + std::string(exception.what()));
    }
    folder_.reset();
    signals_.reset();
    co_await server_->stop();
  }

  const CommandLine& line_;
  const Inheritance& inherited_;
  asio::io_context loop_{1};
  std::unique_ptr<LogSink> sink_;
  std::unique_ptr<async::Clock> clock_;
  base::Random random_;
  std::unique_ptr<Server> server_;
  std::optional<PrivateFolder> folder_;  // nullopt with --kubeconfig-out
  std::string kubeconfig_;
  std::optional<Signals> signals_;
  int code_ = EXIT_SUCCESS;
  async::TaskGroup tasks_;
};

// Returns the exit code: 0, 1 after an error, 2 for an invalid command line; with `run`, that of the command.
int run_program(const std::vector<std::string>& arguments, const Inheritance& inherited) {
  auto line = parse_command_line(arguments);
  if (!line) return cli::reject({kName, std::cout, std::cerr}, "", line.error());
  if (line->action == CommandLine::Action::kHelp) {
    std::cout << usage();
    return cli::check_output(std::cout, std::cerr, EXIT_SUCCESS);
  }
  if (line->action == CommandLine::Action::kVersion) {
    const int code = program::version_command(kName, line->words, std::cout, std::cerr,
                                              {sandbox_data::linked_library(), KEELSON_RE2_LIBRARY});
    return cli::check_output(std::cout, std::cerr, code);
  }
  if (line->action == CommandLine::Action::kDiffAgainst) {
    return diff_command({kName, std::cout, std::cerr}, line->words);
  }
  if (line->action == CommandLine::Action::kCompletion) {
    const int code = complete({kName, std::cout, std::cerr}, line->words);
    return cli::check_output(std::cout, std::cerr, code);
  }
  return Program(*line, inherited).run();
}

}  // namespace
}  // namespace keelson::sandbox_program

int main(int argc, char** argv) {
  const auto inherited = keelson::sandbox_program::Inheritance::take();
  keelson::program::prepare_process();
  return keelson::sandbox_program::run_program(keelson::cli::words_of(argc, argv), inherited);
}
