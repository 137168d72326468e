// `keelson-sandbox run`: the environment of the command, its signals, and its exit code.
#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "test/sandbox_program/started.hpp"

namespace keelson::testing {
namespace {

Started shell(const std::string& script) { return Started({"run", "--", "sh", "-c", script}); }

TEST_CASE("run exits with the command's code, with 128 plus its signal, or with the codes of a shell") {
  struct Row {
    std::vector<std::string> command;
    int expected;
  };
  const Row rows[] = {
      {{"true"}, 0},
      {{"sh", "-c", "exit 7"}, 7},
      {{"sh", "-c", "kill -TERM $$"}, 128 + SIGTERM},
      {{"sh", "-c", "kill -KILL $$"}, 128 + SIGKILL},
      {{"keelson-there-is-no-such-command"}, 127},
      {{"/keelson/no/such/command"}, 127},
      {{"/etc/passwd"}, 126},
      {{"/"}, 126},
  };

  for (const auto& row : rows) {
    INFO(row.command[0] << " " << row.command.back());
    std::vector<std::string> arguments{"run", "--"};
    arguments.insert(arguments.end(), row.command.begin(), row.command.end());
    Started started(arguments);
    CHECK(started.wait() == row.expected);
    CHECK(started.output().empty());
    CHECK(started.left_behind().empty());
  }
}

TEST_CASE("the error about a command that cannot be started has its name and the reason") {
  Started started({"run", "--", "keelson-there-is-no-such-command"});

  CHECK(started.wait() == 127);
  CHECK(started.errors() ==
        "keelson-sandbox: cannot run keelson-there-is-no-such-command: no such file or directory\n");
}

TEST_CASE("the command gets a kubeconfig in a private folder, and no descriptor or blocked signal of keelson-sandbox") {
  auto started = shell(
      "stat -c %a \"$KUBECONFIG\"; stat -c %a \"$(dirname \"$KUBECONFIG\")\"; ls /proc/self/fd | xargs; "
      "grep SigBlk /proc/self/status");

  CHECK(started.line() == "600");
  CHECK(started.line() == "700");
  CHECK(started.line() == "0 1 2 3");  // 3 is the folder that ls reads
  CHECK(started.line() == "SigBlk:\t0000000000000000");
  CHECK(started.wait() == 0);
  CHECK(started.left_behind().empty());
}

TEST_CASE("keelson-sandbox relays signals to the command, and exits with its code") {
  for (const auto& [number, name] : {std::pair{SIGTERM, "TERM"}, {SIGINT, "INT"}, {SIGHUP, "HUP"}, {SIGUSR1, "USR1"}}) {
    INFO(name);
    auto started = shell(std::string("trap 'exit 9' ") + name + "; echo up; read line");
    REQUIRE(started.line() == "up");

    started.signal(number);

    CHECK(started.wait() == 9);
    CHECK(started.left_behind().empty());
  }
}

TEST_CASE("run exits with 128 plus the signal that ended the command") {
  auto started = shell("echo up; exec cat");
  REQUIRE(started.line() == "up");

  started.signal(SIGTERM);

  CHECK(started.wait() == 128 + SIGTERM);
}

TEST_CASE("the kubeconfig of a command remains in the file of --kubeconfig-out") {
  TemporaryFolder folder;
  Started started({"run", "--kubeconfig-out", folder.file("k"), "--", "sh", "-c", "echo $KUBECONFIG"});

  CHECK(started.line() == folder.file("k"));
  CHECK(started.wait() == 0);
  CHECK(folder.read("k").starts_with("apiVersion: v1\nkind: Config\n"));
}

}  // namespace
}  // namespace keelson::testing
