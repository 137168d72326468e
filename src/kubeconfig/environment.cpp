#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "keelson/base/limits.hpp"
#include "keelson/base/text.hpp"
#include "keelson/kubeconfig/config.hpp"

namespace keelson::kube {

namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// Reads until the end and ignores the size of the file: a kubeconfig may be a pipe ("--kubeconfig <(command)").
Result<std::optional<std::string>> read_local_file(const std::string& path) {
  OpenFile file(path);
  if (file.descriptor() < 0) {
    if (errno == ENOENT) return std::optional<std::string>();
    return invalid_error("open " + path + ": " + base::words_of_errno(errno));
  }
  std::string bytes;
  std::string block(limits::kReadBytes, '\0');
  while (true) {
    auto count = ::read(file.descriptor(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return invalid_error("read " + path + ": " + base::words_of_errno(errno));
    if (count == 0) return std::optional<std::string>(std::move(bytes));
    bytes.append(block, 0, static_cast<std::size_t>(count));
    if (bytes.size() > limits::kLocalFileBytes) {
      return invalid_error("read " + path + ": larger than " + std::to_string(limits::kLocalFileBytes) + " bytes");
    }
  }
}

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

// The sixth field of this user's line in /etc/passwd. getpwuid would load shared libraries in a static binary.
std::string home_in_passwd(std::string_view passwd) {
  const auto uid = std::to_string(::getuid());
  while (!passwd.empty()) {
    auto line = passwd.substr(0, passwd.find('\n'));
    passwd.remove_prefix(std::min(passwd.size(), line.size() + 1));
    std::string_view fields[7];
    for (auto& field : fields) {
      field = line.substr(0, line.find(':'));
      line.remove_prefix(std::min(line.size(), field.size() + 1));
    }
    if (fields[2] == uid) return std::string(fields[5]);
  }
  return {};
}

std::string home_directory() {
  auto home = variable("HOME");
  if (!home.empty()) return home;
  auto passwd = read_local_file("/etc/passwd");
  if (!passwd || !*passwd) return {};
  return home_in_passwd(**passwd);
}

}  // namespace

Environment process_environment() {
  std::error_code ignored;
  auto directory = std::filesystem::current_path(ignored);
  return Environment{.variable = variable,
                     .read_file = read_local_file,
                     .home = home_directory(),
                     .working_directory = directory.string()};
}

}  // namespace keelson::kube
