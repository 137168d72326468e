// A child process, whose pipes and end are events of the loop.
#pragma once

#include <sys/types.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/kubeconfig/program.hpp"

namespace keelson::kube {

// Destroying it before its end kills the child, and the processes that it started unless it is at a terminal; the loop
// reaps it.
class ChildProcess {
 public:
  using Pipe = boost::asio::posix::stream_descriptor;

  [[nodiscard]] static Result<std::unique_ptr<ChildProcess>> start(boost::asio::any_io_executor executor,
                                                                   const ProgramCall& call);
  ChildProcess(boost::asio::any_io_executor executor, pid_t pid, int end, int output, int errors, bool at_terminal);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  // The exit code, or 128 plus the signal. kTransport if other code of the process has reaped it.
  [[nodiscard]] Task<int> wait();
  // Does nothing if it has ended.
  void kill();

  // Both are non-blocking. A child at a terminal has no pipe for errors.
  [[nodiscard]] Pipe& output() { return output_; }
  [[nodiscard]] Pipe& errors() { return errors_; }

 private:
  pid_t pid_;
  bool at_terminal_;
  bool has_ended_ = false;
  std::shared_ptr<Pipe> end_;  // a pidfd: readable when the child has ended
  Pipe output_;
  Pipe errors_;
};

}  // namespace keelson::kube
