// keelson-sandbox as a process that a test started: its output, its signals, its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "test/support/temporary_folder.hpp"

namespace keelson::test {

// Its private folders are in a temporary folder of its own. Destroying it kills it.
class Started {
 public:
  explicit Started(std::vector<std::string> arguments);
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started();

  // The next line of its standard output, without the newline; empty at the end.
  [[nodiscard]] std::string line();
  // Waits for the end of the ready line, and gives the kubeconfig's path.
  [[nodiscard]] std::string kubeconfig();
  void signal(int number) const;
  // The largest file that it can write from now on (RLIMIT_FSIZE); nothing: any.
  void limit_files(std::optional<std::uintmax_t> bytes) const;
  // The exit code, or 128 and the signal that ended it.
  [[nodiscard]] int wait();
  // After wait(): all that is left of its standard output, and its standard error.
  [[nodiscard]] std::string output();
  [[nodiscard]] std::string errors() const { return folder_.read("errors"); }
  // Where its private folders are.
  [[nodiscard]] std::vector<std::string> left_behind() const;

 private:
  TemporaryFolder folder_;
  pid_t pid_ = -1;
  int input_ = -1;  // ours; its standard input has no end before this goes
  int output_ = -1;
  int code_ = -1;
};

}  // namespace keelson::test
