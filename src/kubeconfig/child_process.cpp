#include "src/kubeconfig/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>

#include "keelson/detail/base/text.hpp"

namespace keelson::kube {
namespace asio = boost::asio;

namespace {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  void set(int number) { number_ = number; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// Our end does not block; the child's end blocks, as programs expect.
struct PipePair {
  [[nodiscard]] bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    ours.set(ends[0]);
    theirs.set(ends[1]);
    return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
  }
  Descriptor ours;
  Descriptor theirs;
};

// The environment of this process with the call's variables. Each name occurs once, because programs differ in which of
// two equal names they use.
std::vector<std::string> environment_of(const ProgramCall& call) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string text(*entry);
    auto equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : call.variables) variables[name] = value;
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Sets descriptors and signals between fork and exec. Asio's sockets are not close-on-exec.
class SpawnSettings {
 public:
  SpawnSettings(bool at_terminal, int output, int errors) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    if (!at_terminal) ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!at_terminal) ::posix_spawn_file_actions_adddup2(&actions, errors, 2);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    // A separate process group can be killed as a whole, but cannot read from the terminal.
    int group = at_terminal ? 0 : POSIX_SPAWN_SETPGROUP;
    ::posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group));
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

// This process raises its own limit of descriptors. The child must not inherit it: select(2) fails above FD_SETSIZE,
// and programs that close all possible descriptors would take long.
void limit_descriptors(pid_t child) {
  rlimit files{};
  if (::prlimit(child, RLIMIT_NOFILE, nullptr, &files) != 0) return;
  files.rlim_cur = std::min<rlim_t>(files.rlim_cur, FD_SETSIZE);
  ::prlimit(child, RLIMIT_NOFILE, &files, nullptr);
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(asio::any_io_executor executor, const ProgramCall& call) {
  PipePair output;
  PipePair errors;
  if (!output.open() || !errors.open()) return transport_error("exec: pipe: " + base::words_of_errno(errno));
  auto arguments = call.arguments;
  auto environment = environment_of(call);
  SpawnSettings settings(call.at_terminal, output.theirs.number(), errors.theirs.number());
  pid_t pid = -1;
  int failed = ::posix_spawnp(&pid, arguments[0].c_str(), &settings.actions, &settings.attributes,
                              pointers(arguments).data(), pointers(environment).data());
  if (failed == ENOENT) return invalid_error("exec: executable " + arguments[0] + " not found");
  if (failed != 0) {
    return invalid_error("exec: executable " + arguments[0] + " cannot be started: " + base::words_of_errno(failed));
  }
  auto end = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (end < 0) {
    auto why = base::words_of_errno(errno) + (errno == ENOSYS ? " (exec plugins need Linux 5.3 or later)" : "");
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return transport_error("exec: pidfd_open: " + why);
  }
  limit_descriptors(pid);
  return std::make_unique<ChildProcess>(std::move(executor), pid, end, output.ours.release(), errors.ours.release(),
                                        call.at_terminal);
}

ChildProcess::ChildProcess(asio::any_io_executor executor, pid_t pid, int end, int output, int errors, bool at_terminal)
    : pid_(pid),
      at_terminal_(at_terminal),
      end_(std::make_shared<Pipe>(executor, end)),
      output_(executor, output),
      errors_(executor, errors) {}

ChildProcess::~ChildProcess() {
  if (has_ended_) return;
  kill();
  // A destructor cannot wait, and the child needs a moment to end.
  auto reap = [end = end_, pid = pid_](boost::system::error_code) { ::waitpid(pid, nullptr, WNOHANG); };
  end_->async_wait(Pipe::wait_read, std::move(reap));
}

void ChildProcess::kill() {
  if (!has_ended_) ::kill(at_terminal_ ? pid_ : -pid_, SIGKILL);
}

Task<int> ChildProcess::wait() {
  co_await end_->async_wait(Pipe::wait_read, asio::use_awaitable);
  int status = 0;
  auto reaped = ::waitpid(pid_, &status, 0);
  has_ended_ = true;
  if (reaped != pid_) co_return transport_error("exec: waitpid: " + base::words_of_errno(errno));
  co_return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace keelson::kube
