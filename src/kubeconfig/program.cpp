#include "keelson/detail/kubeconfig/program.hpp"

#include <unistd.h>

#include <array>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/base/limits.hpp"
#include "src/kubeconfig/child_process.hpp"

namespace keelson::kube {
namespace asio = boost::asio;

namespace {

using Pipe = ChildProcess::Pipe;

// The output of one pipe.
struct Collected {
  Pipe& pipe;
  std::function<void(std::string_view)> take;
  bool has_ended = false;

  // Reads what is available now, but at most the capacity of a pipe: a writer that is faster must not block the loop.
  void drain() {
    std::array<char, limits::kReadBytes> block{};
    for (int blocks = 0; blocks < 4 && !has_ended; ++blocks) {
      auto got = ::read(pipe.native_handle(), block.data(), block.size());
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (got <= 0) {
        has_ended = true;
      } else {
        take(std::string_view(block.data(), static_cast<std::size_t>(got)));
      }
    }
  }
};

asio::awaitable<void> collect(Collected& from) {
  while (!from.has_ended) {
    co_await from.pipe.async_wait(Pipe::wait_read, asio::use_awaitable);
    from.drain();
  }
}

// Splits standard error into lines, and stores the last ones.
class ErrorLines {
 public:
  explicit ErrorLines(std::function<void(std::string_view)> on_line) : on_line_(std::move(on_line)) {}

  void take(std::string_view text) {
    for (char c : text) {
      if (c == '\n' || line_.size() >= limits::kLogValueBytes) end_line();
      if (c != '\n' && c != '\r') line_.push_back(c);
    }
  }
  void end_line() {
    if (line_.empty()) return;
    if (on_line_ && told_ < limits::kToldErrorLines) on_line_(line_);
    if (on_line_ && told_ == limits::kToldErrorLines) on_line_("(further lines are omitted)");
    ++told_;
    last_ += (last_.empty() ? "" : "; ") + line_;
    if (last_.size() > limits::kLogValueBytes / 2) last_.erase(0, last_.size() - limits::kLogValueBytes / 2);
    line_.clear();
  }
  [[nodiscard]] std::string take_last() { return std::move(last_); }

 private:
  std::function<void(std::string_view)> on_line_;
  std::string line_;
  std::string last_;
  std::size_t told_ = 0;
};

// Collects the output of a child until it ends.
asio::awaitable<void> attend(async::TaskGroup& group, ChildProcess& child, Collected& output, Collected& errors,
                             Result<int>& exit_code) {
  group.spawn(collect(output));
  group.spawn(collect(errors));
  exit_code = co_await child.wait();
}

}  // namespace

Task<ProgramEnd> run_program(ProgramCall call) {
  auto executor = co_await asio::this_coro::executor;
  auto child = ChildProcess::start(executor, call);
  if (!child) co_return std::move(child).error();
  ProgramEnd end;
  ErrorLines lines(call.on_error_line);
  auto take_output = [&end, &child](std::string_view text) {
    end.output += text;
    if (end.output.size() > limits::kPluginBytes) (*child)->kill();
  };
  Collected output{(*child)->output(), take_output};
  Collected errors{(*child)->errors(), [&lines](std::string_view text) { lines.take(text); }};
  Result<int> exit_code = 0;
  auto run = [&](async::TaskGroup& group) { return attend(group, **child, output, errors, exit_code); };
  co_await async::with_task_group(run);
  // A grandchild may hold the pipes open forever, so only output that has been written by now counts.
  output.drain();
  errors.drain();
  lines.end_line();
  if (end.output.size() > limits::kPluginBytes) {
    co_return malformed_error("exec: executable " + call.arguments[0] + " wrote more than " +
                              std::to_string(limits::kPluginBytes) + " bytes");
  }
  if (!exit_code) co_return std::move(exit_code).error();
  end.exit_code = *exit_code;
  end.last_errors = lines.take_last();
  co_return end;
}

}  // namespace keelson::kube
