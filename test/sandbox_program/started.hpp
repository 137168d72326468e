// A keelson-sandbox process that a test has started: its output, its signals, its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "test/support/temporary_folder.hpp"

namespace keelson::testing {

// Its private folders are in a temporary folder of its own. The destructor kills the process.
class Started {
 public:
  explicit Started(std::vector<std::string> arguments);
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started();

  // The next line of its standard output, without the newline; empty at the end.
  [[nodiscard]] std::string line();
  // Waits for the ready line, and returns the path of the kubeconfig in it.
  [[nodiscard]] std::string kubeconfig();
  void signal(int number) const;
  // Sets the largest file that it can write (RLIMIT_FSIZE); nullopt: no limit.
  void limit_files(std::optional<std::uintmax_t> bytes) const;
  // Returns the exit code, or 128 plus the signal that ended it.
  [[nodiscard]] int wait();
  // After wait(): the rest of its standard output, and its standard error.
  [[nodiscard]] std::string output();
  [[nodiscard]] std::string errors() const { return folder_.read("errors"); }
  // The folder of its private folders.
  [[nodiscard]] std::vector<std::string> left_behind() const;

 private:
  TemporaryFolder folder_;
  pid_t pid_ = -1;
  int input_ = -1;  // our end of its standard input, which remains open until this is closed
  int output_ = -1;
  int code_ = -1;
};

}  // namespace keelson::testing
