#include "src/sandbox_data/total.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstddef>
#include <type_traits>

#include "src/sandbox_data/database.hpp"

namespace keelson::sandbox_data {

namespace {

// The content of the file. It fits into one sector, so a power failure does not tear it.
struct Record {
  BootId boot{};
  Total before;
  Total after;
  std::uint64_t checksum = 0;
};
static_assert(std::has_unique_object_representations_v<Record>);

std::uint64_t checksum_of(const Record& record) {
  return ::crc32_z(0, reinterpret_cast<const Bytef*>(&record), offsetof(Record, checksum));
}

}  // namespace

std::uint32_t checksum(std::initializer_list<std::string_view> texts) {
  const Bytef end = 0;
  uLong sum = 0;
  for (auto text : texts) {
    // With a null pointer, zlib would begin again.
    if (!text.empty()) sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(text.data()), text.size());
    sum = ::crc32_z(sum, &end, 1);
  }
  return static_cast<std::uint32_t>(sum);
}

void Total::add(std::uint32_t row_checksum) {
  ++rows;
  sum += row_checksum;
}

void Total::subtract(std::uint32_t row_checksum) {
  --rows;
  sum -= row_checksum;
}

BootId boot_id() {
  BootId id{};
  int descriptor = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return id;
  if (::read(descriptor, id.data(), id.size()) < 0) id = {};
  ::close(descriptor);
  return id;
}

TotalFile::TotalFile(const std::string& data_path, const BootId& boot)
    : path_(data_path + "-total"), wal_path_(data_path + "-wal"), boot_(boot) {}

TotalFile::~TotalFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (is_released_ && ::access(wal_path_.c_str(), F_OK) != 0) ::unlink(path_.c_str());
}

bool TotalFile::exists() const { return ::access(path_.c_str(), F_OK) == 0; }

std::optional<TotalFile::Left> TotalFile::read() const {
  int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  Record record;
  auto got = ::read(descriptor, &record, sizeof(record));
  ::close(descriptor);
  if (got != static_cast<ssize_t>(sizeof(record)) || record.checksum != checksum_of(record)) return std::nullopt;
  // Without an id, a power failure is possible.
  const bool is_of_this_boot = record.boot == boot_ && boot_ != BootId{};
  return Left{record.before, record.after, is_of_this_boot};
}

Result<void> TotalFile::store(const Total& before, const Total& after) {
  if (descriptor_ < 0) descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (descriptor_ < 0) return cannot_write(path_, errno);
  Record record{boot_, before, after};
  record.checksum = checksum_of(record);
  auto written = ::pwrite(descriptor_, &record, sizeof(record), 0);
  if (written == static_cast<ssize_t>(sizeof(record))) return {};
  return cannot_write(path_, written < 0 ? errno : ENOSPC);
}

}  // namespace keelson::sandbox_data
