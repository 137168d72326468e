#include "src/sandbox_data/file_check.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "src/sandbox_data/database.hpp"

namespace keelson::sandbox_data {

namespace {

// https://www.sqlite.org/fileformat2.html#the_database_header
constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kFormatAt = 60;
constexpr std::size_t kApplicationAt = 68;

using Header = std::array<char, kHeaderBytes>;

std::uint32_t number_at(const Header& header, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8U | static_cast<unsigned char>(header[at + i]);
  return number;
}

Error cannot(const std::string& verb, const std::string& path, int error_number) {
  return invalid_error("cannot " + verb + " " + path + ": " + words_of(error_number) +
                       ": give --data the name of a file that you may read and write, in a folder that exists");
}

// The number of bytes read, or -1 with errno set.
ssize_t read_header(const std::string& path, Header& header) {
  int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return -1;
  auto got = ::read(descriptor, header.data(), header.size());
  int failed = errno;
  ::close(descriptor);
  errno = failed;
  return got;
}

Result<Found> create(const std::string& path) {
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return cannot("create", path, errno);
  ::close(descriptor);
  return Found::kNew;
}

}  // namespace

std::string real_path(const std::string& path) {
  std::error_code failed;
  auto real = std::filesystem::canonical(path, failed).string();
  return failed ? path : real;
}

Result<Found> prepare_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return errno == ENOENT ? create(path) : Result<Found>(cannot("open", path, errno));
  }
  if (S_ISDIR(status.st_mode)) return invalid_error(path + " is a folder: give --data the name of a file in it");
  if (!S_ISREG(status.st_mode)) {
    return invalid_error(path + " is not a regular file: give --data the name of another one");
  }
  Header header{};
  auto got = read_header(path, header);
  if (got < 0) return cannot("open", path, errno);
  const auto has = [real = real_path(path)](const char* suffix) {
    return ::access((real + suffix).c_str(), F_OK) == 0;
  };
  if (got == 0 && has("-total")) return damaged(path, "it is empty");
  if (got == 0) return Found::kNew;
  bool is_database =
      got == static_cast<ssize_t>(kHeaderBytes) && std::string_view(header.data(), kMagic.size()) == kMagic;
  if (!is_database || number_at(header, kApplicationAt) != kApplication) return not_ours(path);
  auto format = number_at(header, kFormatAt);
  if (format == kFormat) return has("-journal") ? Found::kUnfinished : Found::kOurs;
  if (format == 0) return damaged(path, "its header has no format");
  return invalid_error(path + " was written by " + (format < kFormat ? "an older" : "a newer") +
                       " keelson-sandbox (format " + std::to_string(format) + ", and this one reads format " +
                       std::to_string(kFormat) + "): use that version, or give the name of another file");
}

Result<void> make_private(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-journal"}) {
    auto file = real_path(path) + suffix;
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || (status.st_mode & 077U) == 0) continue;
    if (::chmod(file.c_str(), 0600) != 0) {
      return invalid_error("other users can read " + file + ", and its mode cannot be changed: " + words_of(errno) +
                           ": it contains Secrets: give the name of a file that you own");
    }
  }
  return {};
}

}  // namespace keelson::sandbox_data
