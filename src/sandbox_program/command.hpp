// The command of `keelson-sandbox run`: started as a shell would, told the signals that we get, waited for.
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

// What this process was started with, and what a command that it starts is to get: taken before anything is changed.
struct Inheritance {
  [[nodiscard]] static Inheritance take();
  std::vector<int> descriptors;
  unsigned long soft_file_limit = 0;
  sigset_t blocked{};
};

// The exit code a shell gives for it, and why.
struct CannotStart {
  int code = 127;
  std::string why;
};

// Must have ended before it is destroyed.
class Command {
 public:
  using Descriptor = boost::asio::posix::stream_descriptor;

  // `words` is not empty. KUBECONFIG is set for it; it stays in our process group, so that it can use the terminal.
  [[nodiscard]] static std::variant<std::unique_ptr<Command>, CannotStart> start(
      const boost::asio::any_io_executor& executor, std::vector<std::string> words, const std::string& kubeconfig,
      const Inheritance& inherited);
  Command(const boost::asio::any_io_executor& executor, pid_t pid, int end) : pid_(pid), end_(executor, end) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // The exit code, or 128 and the signal.
  [[nodiscard]] boost::asio::awaitable<int> wait();
  void send(int signal) const;

 private:
  pid_t pid_;
  bool has_ended_ = false;
  Descriptor end_;  // a pidfd: readable when the command has ended
};

// The signals that a supervisor or a user sends us, held back from their defaults.
class Signals {
 public:
  explicit Signals(const boost::asio::any_io_executor& executor, std::initializer_list<int> signals);
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  // The defaults are back: another signal ends the process at once.
  ~Signals();

  // Until one has come.
  [[nodiscard]] boost::asio::awaitable<void> wait();
  // Passes them on until it is cancelled. What the terminal sent has reached the command already, for it is in our
  // process group.
  [[nodiscard]] boost::asio::awaitable<void> relay_to(const Command& command);

 private:
  sigset_t before_{};
  boost::asio::posix::stream_descriptor arrived_;  // a signalfd
};

}  // namespace keelson::sandbox_program
