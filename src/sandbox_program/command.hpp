// The command of `keelson-sandbox run`: starts it as a shell would, relays signals to it, and waits for its end.
#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>
#include <initializer_list>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace keelson::sandbox_program {

// The inherited state that a started command gets: read it before this process changes anything.
struct Inheritance {
  [[nodiscard]] static Inheritance take();
  std::vector<int> descriptors;
  unsigned long soft_file_limit = 0;
  sigset_t blocked{};
};

// The exit code that a shell returns for it, and the reason.
struct CannotStart {
  int code = 127;
  std::string why;
};

// The command must have ended before this object is destroyed.
class Command {
 public:
  using Descriptor = boost::asio::posix::stream_descriptor;

  // `words` is not empty. The command gets KUBECONFIG, and remains in our process group so that it can use the
  // terminal.
  [[nodiscard]] static std::variant<std::unique_ptr<Command>, CannotStart> start(
      const boost::asio::any_io_executor& executor, std::vector<std::string> words, const std::string& kubeconfig,
      const Inheritance& inherited);
  Command(const boost::asio::any_io_executor& executor, pid_t pid, int end) : pid_(pid), end_(executor, end) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Returns the exit code, or 128 plus the signal.
  [[nodiscard]] boost::asio::awaitable<int> wait();
  void send(int signal) const;

 private:
  pid_t pid_;
  bool has_ended_ = false;
  Descriptor end_;  // a pidfd: readable when the command has ended
};

// Receives the signals of a supervisor or user instead of their default actions.
class Signals {
 public:
  explicit Signals(const boost::asio::any_io_executor& executor, std::initializer_list<int> signals);
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  // Restores the default actions: another signal ends the process immediately.
  ~Signals();

  // Waits for a signal.
  [[nodiscard]] boost::asio::awaitable<void> wait();
  // Relays signals until it is canceled, except those of the terminal: they have reached the command already, because
  // it is in our process group.
  [[nodiscard]] boost::asio::awaitable<void> relay_to(const Command& command);

 private:
  sigset_t before_{};
  boost::asio::posix::stream_descriptor arrived_;  // a signalfd
};

}  // namespace keelson::sandbox_program
