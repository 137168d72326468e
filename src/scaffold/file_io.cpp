#include "src/scaffold/file_io.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "keelson/detail/base/text.hpp"

namespace keelson::scaffold {

namespace fs = std::filesystem;

namespace {

Error file_error(std::string_view action, const fs::path& path, const std::string& why) {
  return invalid_error(std::string(action) + " " + path.string() + ": " + why);
}

// The permissions that a new file gets from the umask.
fs::perms permissions_of_new_file() {
  const auto mask = umask(0);
  umask(mask);
  return static_cast<fs::perms>(0666 & ~mask);
}

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const auto size = ::write(file, content.data(), content.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

Result<std::optional<std::string>> read_file(const fs::path& path) {
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) return std::optional<std::string>();
  if (!fs::is_regular_file(status)) return invalid_error(path.string() + " is not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return file_error("read", path, base::words_of_errno(errno));
  std::string content;
  char buffer[4096];
  while (file.read(buffer, sizeof(buffer)) || file.gcount() > 0) {
    content.append(buffer, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return file_error("read", path, "input/output error");
  return std::optional(std::move(content));
}

Result<void> write_file(const fs::path& name, std::string_view content) {
  std::error_code failure;
  const bool is_link = fs::symlink_status(name, failure).type() == fs::file_type::symlink;
  failure.clear();
  const auto path = is_link ? fs::canonical(name, failure) : name;
  if (failure) return file_error("follow the link", name, failure.message());
  fs::create_directories(path.parent_path(), failure);
  if (failure) return file_error("create the folder", path.parent_path(), failure.message());

  const auto status = fs::status(path, failure);
  auto permissions = status.permissions();
  if (!fs::exists(status)) {
    constexpr auto kExecutable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    permissions = permissions_of_new_file();
    if (path.extension() == ".sh") permissions |= kExecutable;
  }

  auto fresh = path.string() + ".XXXXXX";
  const int file = mkstemp(fresh.data());
  if (file < 0) return file_error("write", path, base::words_of_errno(errno));
  const bool is_written = write_all(file, content) && fchmod(file, static_cast<mode_t>(permissions)) == 0;
  const int reason = errno;
  const bool is_closed = close(file) == 0;
  if (!is_written || !is_closed || rename(fresh.c_str(), path.c_str()) != 0) {
    const int last = is_written ? errno : reason;
    unlink(fresh.c_str());
    return file_error("write", path, base::words_of_errno(last));
  }
  return {};
}

}  // namespace keelson::scaffold
