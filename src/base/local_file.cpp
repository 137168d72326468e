#include "keelson/detail/base/local_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "keelson/detail/base/text.hpp"

namespace keelson::base {

namespace {

class OpenFile {
 public:
  // O_NONBLOCK: a FIFO without a writer would block until there is one.
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

Error file_error(const char* action, const std::string& path, const std::string& reason) {
  return invalid_error(std::string(action) + " " + path + ": " + reason);
}

// A pipe that exists already: the shell's <(command), and standard input.
bool is_inherited(const std::string& path) {
  return path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin";
}

// Waits for data or the end of a pipe; false if nothing came in time.
bool wait_readable(int descriptor, std::chrono::milliseconds limit) {
  struct pollfd pipe {
    descriptor, POLLIN, 0
  };
  const int ready = ::poll(&pipe, 1, static_cast<int>(limit.count()));
  return ready > 0 || (ready < 0 && errno == EINTR);
}

}  // namespace

Result<std::optional<std::string>> read_local_file(const std::string& path, std::size_t limit,
                                                   std::chrono::milliseconds pipe_wait) {
  const OpenFile file(path);
  if (file.descriptor() < 0) {
    if (errno == ENOENT) return std::optional<std::string>();
    return file_error("open", path, words_of_errno(errno));
  }
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return file_error("open", path, words_of_errno(errno));
  const bool is_pipe = S_ISFIFO(status.st_mode);
  if (is_pipe && !is_inherited(path)) {
    return file_error("open", path, "a named pipe, and reading it could wait for ever: use a regular file");
  }
  std::string bytes;
  std::string block(limits::kReadBytes, '\0');
  while (true) {
    const auto count = ::read(file.descriptor(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      if (is_pipe && wait_readable(file.descriptor(), pipe_wait)) continue;
      return file_error("read", path, "nothing was written to it in time");
    }
    if (count < 0) return file_error("read", path, words_of_errno(errno));
    if (count == 0) return std::optional<std::string>(std::move(bytes));
    bytes.append(block, 0, static_cast<std::size_t>(count));
    if (bytes.size() > limit) return file_error("read", path, "larger than " + std::to_string(limit) + " bytes");
  }
}

}  // namespace keelson::base
