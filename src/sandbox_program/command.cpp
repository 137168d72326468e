#include "src/sandbox_program/command.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox_program {
namespace asio = boost::asio;

namespace {

// The exit codes of a shell.
constexpr int kCannotExecute = 126;
constexpr int kNotFound = 127;

std::vector<int> open_descriptors() {
  std::vector<int> found;
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return found;
  while (const dirent* entry = ::readdir(folder)) {
    int number = std::atoi(entry->d_name);
    if (number > 2 && number != ::dirfd(folder)) found.push_back(number);
  }
  ::closedir(folder);
  return found;
}

// Asio's sockets are not close-on-exec. Descriptors inherited from a shell or make belong to the command, too.
void keep_ours_from_commands(const std::vector<int>& inherited) {
  for (int number : open_descriptors()) {
    bool is_ours = std::ranges::find(inherited, number) == inherited.end();
    if (is_ours) ::fcntl(number, F_SETFD, FD_CLOEXEC);
  }
}

std::vector<std::string> environment_with(const std::string& kubeconfig) {
  constexpr std::string_view kName = "KUBECONFIG=";
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with(kName)) variables.emplace_back(*entry);
  }
  variables.push_back(std::string(kName) + kubeconfig);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// 0, or the error number.
int spawn(pid_t& pid, std::vector<std::string>& words, std::vector<std::string>& variables, const sigset_t& blocked) {
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t changed;
  ::sigemptyset(&changed);
  for (int ignored : {SIGPIPE, SIGXFSZ}) ::sigaddset(&changed, ignored);  // ignored in this process
  ::posix_spawnattr_setsigdefault(&attributes, &changed);
  ::posix_spawnattr_setsigmask(&attributes, &blocked);
  ::posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
  int failed =
      ::posix_spawnp(&pid, words[0].c_str(), nullptr, &attributes, pointers(words).data(), pointers(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  return failed;
}

}  // namespace

Inheritance Inheritance::take() {
  Inheritance taken;
  taken.descriptors = open_descriptors();
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) taken.soft_file_limit = files.rlim_cur;
  ::sigprocmask(SIG_SETMASK, nullptr, &taken.blocked);
  return taken;
}

std::variant<std::unique_ptr<Command>, CannotStart> Command::start(const asio::any_io_executor& executor,
                                                                   std::vector<std::string> words,
                                                                   const std::string& kubeconfig,
                                                                   const Inheritance& inherited) {
  keep_ours_from_commands(inherited.descriptors);
  // Each watch needs a descriptor, so our limit is high; a program that uses select(2) must not inherit it.
  rlimit ours{};
  ::getrlimit(RLIMIT_NOFILE, &ours);
  auto theirs = ours;
  theirs.rlim_cur = inherited.soft_file_limit;
  ::setrlimit(RLIMIT_NOFILE, &theirs);
  auto variables = environment_with(kubeconfig);
  pid_t pid = -1;
  int failed = spawn(pid, words, variables, inherited.blocked);
  ::setrlimit(RLIMIT_NOFILE, &ours);
  if (failed != 0) {
    return CannotStart{failed == ENOENT ? kNotFound : kCannotExecute, words[0] + ": " + base::words_of_errno(failed)};
  }
  auto end = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (end < 0) {
    auto why = "pidfd_open: " + base::words_of_errno(errno) + " (Linux 5.3 or later is needed)";
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return CannotStart{kCannotExecute, why};
  }
  return std::make_unique<Command>(executor, pid, end);
}

asio::awaitable<int> Command::wait() {
  co_await end_.async_wait(Descriptor::wait_read, asio::use_awaitable);
  int status = 0;
  auto reaped = ::waitpid(pid_, &status, 0);
  KEELSON_ASSERT(reaped == pid_);
  has_ended_ = true;
  co_return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Command::send(int signal) const {
  if (!has_ended_) ::kill(pid_, signal);
}

Signals::Signals(const asio::any_io_executor& executor, std::initializer_list<int> signals) : arrived_(executor) {
  sigset_t set;
  ::sigemptyset(&set);
  for (int signal : signals) ::sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, &before_);
  arrived_.assign(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

Signals::~Signals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

asio::awaitable<void> Signals::wait() {
  co_await arrived_.async_wait(Command::Descriptor::wait_read, asio::use_awaitable);
  signalfd_siginfo got{};
  static_cast<void>(::read(arrived_.native_handle(), &got, sizeof(got)));
}

asio::awaitable<void> Signals::relay_to(const Command& command) {
  for (;;) {
    co_await arrived_.async_wait(Command::Descriptor::wait_read, asio::use_awaitable);
    signalfd_siginfo got{};
    while (::read(arrived_.native_handle(), &got, sizeof(got)) == static_cast<ssize_t>(sizeof(got))) {
      if (got.ssi_code != SI_KERNEL) command.send(static_cast<int>(got.ssi_signo));
    }
  }
}

}  // namespace keelson::sandbox_program
