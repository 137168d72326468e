#include "keelson/detail/base/assert.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <string>

namespace keelson {
namespace {

TEST_CASE("an assertion that fails names its condition and its place, and ends the process by SIGABRT") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    const int answer = 41;
    KEELSON_ASSERT(answer == 42);
    ::_exit(0);
  }
  ::close(ends[1]);

  std::string told;
  char buffer[256];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    told.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);

  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
  CHECK(told.find("assert_test.cpp:") != std::string::npos);
  CHECK(told.find("assertion failed: answer == 42 (called from 0x") != std::string::npos);
}

}  // namespace
}  // namespace keelson
