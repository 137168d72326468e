#include "keelson/detail/program/process.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <string>

#include "keelson/detail/metrics/process.hpp"
#include "keelson/metrics/registry.hpp"
#include "test/support/sanitizers.hpp"

namespace keelson {
namespace {

constexpr uid_t kUserOfThePod = 65532;

// Runs `body` in a child, as the user of the deployed pod where this test may change its user.
template <typename Body>
int status_of_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::getuid() == 0 && (::setgid(kUserOfThePod) != 0 || ::setuid(kUserOfThePod) != 0)) ::_exit(100);
    // The kernel forbids dumps of a process that changed its user; execve in the pod allows them again.
    ::prctl(PR_SET_DUMPABLE, 1);
    program::prepare_process();
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

// The sanitizers' own checks need what is forbidden here.
constexpr bool kIsSanitized = KEELSON_SANITIZED;

TEST_CASE("a process that dies leaves no core dump") {
  const int dumpable = status_of_child([] { return ::prctl(PR_GET_DUMPABLE); });

  CHECK(WEXITSTATUS(dumpable) == (kIsSanitized ? 1 : 0));
}

TEST_CASE("a process without core dumps still reads its own metrics") {
  const int missing = status_of_child([] {
    metrics::Registry registry;
    metrics::ProcessMetrics process(registry);
    const auto text = registry.text();
    int count = 0;
    for (const std::string name : {"process_virtual_memory_bytes", "process_open_fds", "process_max_fds",
                                   "process_resident_memory_bytes", "process_start_time_seconds"}) {
      const bool is_shown = text.find("\n" + name + " ") != std::string::npos;
      // A value that cannot be read is 0.
      const bool is_unread = text.find("\n" + name + " 0\n") != std::string::npos;
      if (!is_shown || is_unread) ++count;
    }
    return count;
  });

  CHECK(WIFEXITED(missing));
  CHECK(WEXITSTATUS(missing) == 0);
}

TEST_CASE("a process may open as many files as the hard limit allows, and survives a broken pipe") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit lowered = before;
  lowered.rlim_cur = 64;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &lowered) == 0);

  const int status = status_of_child([] {
    rlimit now{};
    const bool is_raised = ::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == now.rlim_max;
    const bool ignores_pipe = std::signal(SIGPIPE, SIG_DFL) == SIG_IGN;
    return (is_raised ? 0 : 1) + (ignores_pipe ? 0 : 2);
  });
  ::setrlimit(RLIMIT_NOFILE, &before);

  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace keelson
