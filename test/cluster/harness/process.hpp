// Programs started by a test: run to their end for their output, or in the background with their output in a file.
#pragma once

#include <sys/types.h>
#include <string>
#include <vector>

namespace keelson::testing {

struct Output {
  int exit_code = -1;
  std::string text;  // stdout and stderr together
};

// `arguments[0]` is looked up in PATH; `input` is its standard input.
[[nodiscard]] Output run(const std::vector<std::string>& arguments, const std::string& input = "");

// A program in the background. Destroying it kills it.
class Process {
 public:
  Process(const std::vector<std::string>& arguments, std::string log_file);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number);
  // The exit code, or 128 plus the number of the signal that ended it.
  int wait();
  [[nodiscard]] bool is_running();
  [[nodiscard]] std::string log() const;
  // VmRSS, VmHWM of /proc/<pid>/status, in KiB.
  [[nodiscard]] long memory_kib(const std::string& field) const;
  // User and system time so far.
  [[nodiscard]] double cpu_seconds() const;

 private:
  pid_t pid_ = -1;
  std::string log_file_;
  int exit_code_ = -1;
};

[[nodiscard]] std::string read_file(const std::string& path);
// A port of the loopback interface without a listener at this moment.
[[nodiscard]] int free_port();
// An HTTP GET to a server on the loopback interface: the body, or an empty text if the reply is not 200.
[[nodiscard]] std::string http_get(int port, const std::string& target);

// An HTTP request to a server on the loopback interface that begins and never ends. Destroying it closes the
// connection.
class OpenRequest {
 public:
  explicit OpenRequest(int port);
  OpenRequest(const OpenRequest&) = delete;
  OpenRequest& operator=(const OpenRequest&) = delete;
  ~OpenRequest();

 private:
  int socket_ = -1;
};

}  // namespace keelson::testing
