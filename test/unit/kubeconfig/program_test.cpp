#include "keelson/detail/kubeconfig/program.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::kube {
namespace {

using boost::asio::awaitable;
using namespace std::chrono_literals;

ProgramCall shell(const std::string& script) {
  ProgramCall call;
  call.arguments = {"sh", "-c", script};
  return call;
}

Result<ProgramEnd> run(sandbox::loop::TestLoop& loop, ProgramCall call) {
  return testing::real_result_of(loop, run_program(std::move(call)));
}

Result<ProgramEnd> run(ProgramCall call) {
  sandbox::loop::TestLoop loop;
  return run(loop, std::move(call));
}

// The open descriptors of this process.
int open_descriptors() {
  int count = 0;
  auto* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

// Zombies count, so a child that is not reaped is found.
bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

// Waits until the loop has reaped the killed children.
awaitable<void> until_childless(async::Clock& clock) {
  while (has_children()) co_await async::sleep_for(clock, 1ms);
}

TEST_CASE(
    "a program's output and exit code are returned, and each line of standard error is reported as it is written") {
  std::vector<std::string> lines;
  auto call = shell("printf 'out\\nput'; echo one >&2; printf 'two\\r\\nthree' >&2; exit 7");
  call.on_error_line = [&](std::string_view line) { lines.emplace_back(line); };

  auto end = run(std::move(call));

  REQUIRE(end);
  CHECK(end->exit_code == 7);
  CHECK(end->output == "out\nput");
  CHECK(end->last_errors == "one; two; three");
  CHECK(lines == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("a program has the environment of the process, added variables, and an empty standard input") {
  ::setenv("KEELSON_TEST_OURS", "a", 1);
  ::setenv("KEELSON_TEST_BOTH", "a", 1);
  auto call = shell("echo $KEELSON_TEST_OURS $KEELSON_TEST_BOTH $KEELSON_TEST_THEIRS; env | grep -c TEST_BOTH; cat");
  call.variables = {{"KEELSON_TEST_BOTH", "b"}, {"KEELSON_TEST_THEIRS", "c"}};

  auto end = run(std::move(call));

  REQUIRE(end);
  CHECK(end->output == "a b c\n1\n");
}

TEST_CASE("a program inherits no descriptor, and leaks none") {
  int kept = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as Asio's sockets
  sandbox::loop::TestLoop loop;
  REQUIRE(run(loop, shell("true")));
  auto before = open_descriptors();

  auto end = run(loop, shell("ls /proc/self/fd | wc -l"));

  REQUIRE(end);
  CHECK(end->output == "4\n");  // the three standard ones, and that of ls for the directory
  CHECK(open_descriptors() == before);
  CHECK_FALSE(has_children());
  ::close(kept);
}

TEST_CASE("the error of a missing or invalid program has its name") {
  ProgramCall missing;
  missing.arguments = {"keelson-no-such-program"};
  ProgramCall folder;
  folder.arguments = {"/tmp"};

  CHECK(run(missing).error().text == "exec: executable keelson-no-such-program not found");
  CHECK(run(folder).error().text == "exec: executable /tmp cannot be started: permission denied");
}

TEST_CASE("the exit code of a signal is that of a shell") {
  auto end = run(shell("kill -TERM $$"));

  REQUIRE(end);
  CHECK(end->exit_code == 128 + SIGTERM);
}

TEST_CASE("a program that writes too much is killed") {
  auto end = run(shell("cat /dev/zero"));

  REQUIRE_FALSE(end);
  CHECK(end.error().text == "exec: executable sh wrote more than 1048576 bytes");
  CHECK_FALSE(has_children());
}

TEST_CASE("the end of much standard error is returned, and long lines are split") {
  std::size_t longest = 0;
  std::size_t bytes = 0;
  auto call = shell("head -c 300000 /dev/zero | tr '\\0' x >&2; echo the end >&2");
  call.on_error_line = [&](std::string_view line) {
    longest = std::max(longest, line.size());
    bytes += line.size();
  };

  auto end = run(std::move(call));

  REQUIRE(end);
  CHECK(bytes == 300'000 + 7);
  CHECK(longest <= limits::kLogValueBytes);
  CHECK(end->last_errors.size() <= limits::kLogValueBytes / 2);
  CHECK(end->last_errors.ends_with("the end"));
}

TEST_CASE("the first lines of much standard error are reported, and the end is returned") {
  std::vector<std::string> lines;
  auto call = shell("seq 100000 >&2");
  call.on_error_line = [&](std::string_view line) { lines.emplace_back(line); };

  auto end = run(std::move(call));

  REQUIRE(end);
  REQUIRE(lines.size() == limits::kToldErrorLines + 1);
  CHECK(lines[limits::kToldErrorLines - 1] == std::to_string(limits::kToldErrorLines));
  CHECK(lines.back() == "(further lines are omitted)");
  CHECK(end->last_errors.ends_with("99999; 100000"));
}

TEST_CASE("a program has a limit of descriptors that select(2) supports") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  auto raised = before;
  raised.rlim_cur = raised.rlim_max;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &raised) == 0);

  auto end = run(shell("sleep 0.1; ulimit -n"));  // the limit is set directly after the start

  ::setrlimit(RLIMIT_NOFILE, &before);
  REQUIRE(end);
  CHECK(std::stoul(end->output) == std::min<rlim_t>(raised.rlim_max, FD_SETSIZE));
}

TEST_CASE("a program that other code reaps is an error") {
  auto before = ::signal(SIGCHLD, SIG_IGN);

  auto end = run(shell("sleep 0.1; exit 3"));

  ::signal(SIGCHLD, before);
  REQUIRE_FALSE(end);
  CHECK(end.error().text == "exec: waitpid: no child processes");
}

TEST_CASE("a canceled program is killed with all that it has started, and reaped") {
  sandbox::loop::TestLoop loop;
  REQUIRE(run(loop, shell("true")));
  auto before = open_descriptors();
  auto call = shell("sh -c 'echo $$ >&2; sleep 1000' & wait");
  async::Notify started;
  pid_t grandchild = 0;
  call.on_error_line = [&](std::string_view line) {
    grandchild = std::atoi(std::string(line).c_str());
    started.notify_all();
  };

  loop.run_real([&]() -> awaitable<void> {
    async::TaskGroup group(loop.executor());
    auto task = [](ProgramCall c) -> awaitable<void> {
      auto end = co_await run_program(std::move(c));
      static_cast<void>(end);
    };
    group.spawn(task(call));
    co_await started.wait();
    group.stop();
    co_await group.join();
    co_await until_childless(loop.real_clock());
    // Its parent has ended, so init reaps it; a zombie has no command line.
    auto path = "/proc/" + std::to_string(grandchild) + "/cmdline";
    for (bool lives = true; lives;) {
      char byte = 0;
      int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
      lives = file >= 0 && ::read(file, &byte, 1) == 1;
      if (file >= 0) ::close(file);
      co_await async::sleep_for(loop.real_clock(), 1ms);
    }
  });

  CHECK(grandchild > 0);
  CHECK(open_descriptors() == before);
}

TEST_CASE("a program's end does not wait for its background processes") {
  auto end = run(shell("sleep 1000 & echo $!"));

  REQUIRE(end);
  CHECK(end->exit_code == 0);
  CHECK(::kill(std::atoi(end->output.c_str()), SIGKILL) == 0);
}

TEST_CASE("hundreds of sequential programs leak no resources") {
  sandbox::loop::TestLoop loop;
  REQUIRE(run(loop, shell("true")));
  auto before = open_descriptors();

  for (int i = 0; i < 100; ++i) {
    ProgramCall call;
    call.arguments = {"true"};
    REQUIRE(run(loop, std::move(call)));
  }

  CHECK(open_descriptors() == before);
  CHECK_FALSE(has_children());
}

}  // namespace
}  // namespace keelson::kube
