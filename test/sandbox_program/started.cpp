#include "test/sandbox_program/started.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <string_view>

namespace keelson::testing {

namespace {

std::vector<std::string> environment_with(const std::string& temporary_folder) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text(*entry);
    if (!text.starts_with("XDG_RUNTIME_DIR=") && !text.starts_with("TMPDIR=")) variables.emplace_back(text);
  }
  variables.push_back("TMPDIR=" + temporary_folder);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Started::Started(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), KEELSON_SANDBOX_BINARY);
  std::filesystem::create_directory(folder_.path() / "private");
  auto variables = environment_with(folder_.file("private"));
  int input[2];
  int output[2];
  REQUIRE(::pipe2(input, O_CLOEXEC) == 0);
  REQUIRE(::pipe2(output, O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, folder_.file("errors").c_str(), O_WRONLY | O_CREAT, 0600);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  int failed = ::posix_spawn(&pid_, KEELSON_SANDBOX_BINARY, &actions, nullptr, pointers(arguments).data(),
                             pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  input_ = input[1];
  output_ = output[0];
  REQUIRE(failed == 0);
}

Started::~Started() {
  if (code_ < 0) ::kill(pid_, SIGKILL);
  if (code_ < 0) ::waitpid(pid_, nullptr, 0);
  ::close(input_);
  ::close(output_);
}

std::string Started::line() {
  std::string text;
  char one = 0;
  while (::read(output_, &one, 1) == 1 && one != '\n') text += one;
  return text;
}

std::string Started::kubeconfig() {
  constexpr std::string_view kBefore = ": export KUBECONFIG=";
  auto ready = line();
  INFO(ready << errors());
  REQUIRE(ready.starts_with("keelson-sandbox is ready at https://"));
  auto at = ready.find(kBefore);
  REQUIRE(at != std::string::npos);
  return ready.substr(at + kBefore.size());
}

void Started::signal(int number) const { ::kill(pid_, number); }

void Started::limit_files(std::optional<std::uintmax_t> bytes) const {
  rlimit limit{};
  REQUIRE(::prlimit(pid_, RLIMIT_FSIZE, nullptr, &limit) == 0);
  limit.rlim_cur = bytes ? *bytes : limit.rlim_max;
  REQUIRE(::prlimit(pid_, RLIMIT_FSIZE, &limit, nullptr) == 0);
}

int Started::wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return code_;
}

std::string Started::output() {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(output_, buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

std::vector<std::string> Started::left_behind() const {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "private")) {
    found.push_back(entry.path().filename().string());
  }
  return found;
}

}  // namespace keelson::testing
