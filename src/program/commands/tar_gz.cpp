#include "src/program/commands/tar_gz.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::program {

namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kTarPath = 100;

void put(std::string& block, std::size_t at, std::string_view text) { block.replace(at, text.size(), text); }

// Octal digits with leading zeros.
std::string octal(std::uint64_t value, int digits) {
  std::array<char, 24> text{};
  const auto size = std::snprintf(text.data(), text.size(), "%0*llo", digits, static_cast<unsigned long long>(value));
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string tar_header(const ArchivedFile& file, async::WallTime now) {
  KEELSON_ASSERT(file.path.size() <= kTarPath);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  std::string block(kTarBlock, '\0');
  put(block, 0, file.path);
  put(block, 100, octal(0600, 7));
  put(block, 108, octal(0, 7));
  put(block, 116, octal(0, 7));
  put(block, 124, octal(file.content.size(), 11));
  put(block, 136, octal(static_cast<std::uint64_t>(std::max<std::int64_t>(seconds, 0)), 11));
  put(block, 148, "        ");
  put(block, 156, "0");
  put(block, 257, std::string_view("ustar\00000", 8));
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(block, 148, octal(sum, 6) + std::string("\0 ", 2));
  return block;
}

std::string gzip(std::string text) {
  z_stream stream{};
  // 15 bits of window, and 16 for the header of gzip.
  KEELSON_ASSERT(::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  // zlib's bytes are unsigned.
  stream.next_in = reinterpret_cast<unsigned char*>(text.data());  // NOLINT
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());  // NOLINT
  stream.avail_out = static_cast<unsigned>(out.size());
  KEELSON_ASSERT(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

Error file_error(const std::string& what, const std::string& path) {
  return invalid_error(what + " " + path + ": " + base::words_of_errno(errno));
}

}  // namespace

std::string tar_gz(const std::vector<ArchivedFile>& files, async::WallTime now) {
  std::string tar;
  for (const auto& file : files) {
    tar += tar_header(file, now) + file.content;
    tar.resize((tar.size() + kTarBlock - 1) / kTarBlock * kTarBlock, '\0');
  }
  tar.append(2 * kTarBlock, '\0');
  return gzip(std::move(tar));
}

Result<NewFile> NewFile::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0 && errno == EEXIST) return invalid_error(path + " exists: give another file with --output");
  if (file < 0) return file_error("create", path);
  return NewFile(path, file);
}

NewFile::NewFile(NewFile&& other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

NewFile::~NewFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(path_.c_str());
}

Result<void> NewFile::complete(std::string_view content) {
  while (!content.empty()) {
    const auto written = ::write(file_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error("write", path_);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::close(std::exchange(file_, -1)) == 0) return {};
  auto error = file_error("write", path_);
  ::unlink(path_.c_str());
  return error;
}

}  // namespace keelson::program
