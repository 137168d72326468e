// Reading files that a kubeconfig, a flag or a user names: no kind of file blocks the program.
#include "keelson/detail/base/local_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>

namespace keelson::base {
namespace {

using namespace std::chrono_literals;

class Folder {
 public:
  Folder() {
    auto name = (std::filesystem::temp_directory_path() / "keelson-local-file-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// A pipe as the shell's <(command) passes it: "/dev/fd/63".
class Pipe {
 public:
  Pipe() { REQUIRE(::pipe2(ends_, O_CLOEXEC) == 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends_[0]);
    end_writing();
  }
  [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(ends_[0]); }
  void write(const std::string& text) const {
    REQUIRE(::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void end_writing() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2]{-1, -1};
};

std::string text_or_error(const Result<std::optional<std::string>>& read) {
  if (!read) return "error: " + read.error().text;
  return *read ? **read : "no file";
}

// Runs in a child that a signal ends after five seconds: a blocked open() fails the test, and does not hang it.
template <class Check>
bool in_time(const Check& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(5);
    ::_exit(check() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a regular file is read completely, and a missing one is nullopt") {
  const Folder folder;
  const auto path = folder.file("token");
  CHECK(text_or_error(read_local_file(path)) == "no file");
  const std::string text(100'000, 'x');
  std::ofstream(path) << text;
  CHECK(text_or_error(read_local_file(path)) == text);
  CHECK(text_or_error(read_local_file(path, 99'999)) == "error: read " + path + ": larger than 99999 bytes");
}

TEST_CASE("a named pipe is an error at once, with and without a writer") {
  const Folder folder;
  const auto path = folder.file("fifo");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const auto error = "error: open " + path + ": a named pipe, and reading it could wait for ever: use a regular file";

  CHECK(in_time([&] { return text_or_error(read_local_file(path)) == error; }));
  const int writer = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(writer >= 0);
  CHECK(in_time([&] { return text_or_error(read_local_file(path)) == error; }));
  ::close(writer);
}

TEST_CASE("a folder and a device without end are errors, and /dev/null is empty") {
  const Folder folder;
  CHECK(text_or_error(read_local_file(folder.file(""))) == "error: read " + folder.file("") + ": is a directory");
  CHECK(text_or_error(read_local_file("/dev/zero", 1000)) == "error: read /dev/zero: larger than 1000 bytes");
  CHECK(text_or_error(read_local_file("/dev/null")).empty());
}

TEST_CASE("a pipe of the caller is read to its end") {
  Pipe pipe;
  pipe.write("apiVersion: v1\n");
  pipe.end_writing();
  CHECK(text_or_error(read_local_file(pipe.path())) == "apiVersion: v1\n");
}

TEST_CASE("a pipe of the caller whose writer sends nothing is an error after the wait") {
  Pipe pipe;
  pipe.write("api");
  CHECK(text_or_error(read_local_file(pipe.path(), 1000, 1ms)) ==
        "error: read " + pipe.path() + ": nothing was written to it in time");
}

}  // namespace keelson::base
