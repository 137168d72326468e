// The number of all rows with the sum of their checksums, and FILE-total, which has it while a process uses the file.
//
// SQLite ignores everything after a damaged frame of the WAL, so a file that has lost its last writes looks like a
// whole one. Each write therefore stores the totals before and after it in FILE-total before its transaction ends, and
// only the latter before it is acknowledged: the rows of a file that has lost nothing have one of them, even if the
// process was killed in between.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::sandbox_data {

// CRC-32, which differs for each change of up to 32 adjacent bits. The texts must not contain zero bytes.
[[nodiscard]] std::uint32_t checksum(std::initializer_list<std::string_view> texts);

struct Total {
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;  // modulo 2^64

  void add(std::uint32_t row_checksum);
  void subtract(std::uint32_t row_checksum);
  friend bool operator==(const Total&, const Total&) = default;
};

using BootId = std::array<char, 40>;
// Of the running kernel; zeros if the system does not have it.
[[nodiscard]] BootId boot_id();

class TotalFile {
 public:
  struct Left {
    Total before;
    Total after;
    bool is_of_this_boot = false;  // false: the power may have failed, which undoes writes that were not synced
  };

  explicit TotalFile(const std::string& data_path, const BootId& boot = boot_id());
  TotalFile(const TotalFile&) = delete;
  TotalFile& operator=(const TotalFile&) = delete;
  // Deletes the file if it was released and there is no WAL.
  ~TotalFile();

  // What a process left that did not stop properly; nullopt if there is no file, or if it is damaged.
  [[nodiscard]] std::optional<Left> read() const;
  // Creates the file if it does not exist.
  [[nodiscard]] Result<void> store(const Total& before, const Total& after);
  // The data file has the total itself.
  void release() { is_released_ = true; }

  [[nodiscard]] bool exists() const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string wal_path_;
  BootId boot_;
  int descriptor_ = -1;
  bool is_released_ = false;
};

}  // namespace keelson::sandbox_data
