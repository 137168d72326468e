// A compressed archive of a few texts, as `tar xzf` reads it (ustar in gzip).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::program {

struct ArchivedFile {
  std::string path;  // at most 100 bytes, relative: "support/doctor.txt"
  std::string content;
};

// The files have mode 0600 and the time `now`.
[[nodiscard]] std::string tar_gz(const std::vector<ArchivedFile>& files, async::WallTime now);

// A file that is created with mode 0600. Destroying it before it is complete removes it, so that an interrupted command
// leaves nothing.
class NewFile {
 public:
  // kInvalid if the path exists, also as a link, or cannot be created: the error has the path and the reason.
  [[nodiscard]] static Result<NewFile> create(const std::string& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  [[nodiscard]] Result<void> complete(std::string_view content);

 private:
  NewFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_;
};

}  // namespace keelson::program
